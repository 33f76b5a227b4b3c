;; Rows of 8-bit integers that stand for vectors of floats, 16 numbers a step. JavaScript takes about ten times as long.
;; `int8-rows.wasm.ts` holds the compiled module; a test compiles this text again and compares.
(module
  (memory (import "memory" "memory") 1)
  ;; Addresses are in bytes. A row has `width` integers, a multiple of 16, and then 16 bytes that begin with a float: what 1
  ;; stands for in dot products with a vector whose integers stand for 1/16384.

  ;; Dot products of such a vector, of 16-bit integers, with every row, as floats; those below 0 are 0.
  (func (export "dotRows")
    (param $matrix i32) (param $vector i32) (param $out i32) (param $rows i32) (param $width i32)
    (local $rowEnd i32) (local $at i32) (local $numbers v128) (local $low v128) (local $high v128)
    (block $done
      (loop $nextRow
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $vector))
        (local.set $rowEnd (i32.add (local.get $matrix) (local.get $width)))
        (loop $nextStep
          (local.set $numbers (v128.load (local.get $matrix)))
          (local.set $low (i32x4.add (local.get $low)
            (i32x4.dot_i16x8_s
              (i16x8.extend_low_i8x16_s (local.get $numbers))
              (v128.load (local.get $at)))))
          (local.set $high (i32x4.add (local.get $high)
            (i32x4.dot_i16x8_s
              (i16x8.extend_high_i8x16_s (local.get $numbers))
              (v128.load offset=16 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $matrix (i32.add (local.get $matrix) (i32.const 16)))
          (br_if $nextStep (i32.lt_u (local.get $matrix) (local.get $rowEnd))))
        (local.set $low (i32x4.add (local.get $low) (local.get $high)))
        (f32.store (local.get $out)
          (f32.max (f32.const 0)
            (f32.mul (f32.load (local.get $matrix))
              (f32.convert_i32_s
                (i32.add
                  (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
                  (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low))))))))
        (local.set $matrix (i32.add (local.get $matrix) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $nextRow))))

  ;; Rounds floats to a row, so that the one that is farthest from 0 becomes 127 or -127, and answers its distance.
  (func (export "roundRow")
    (param $floats i32) (param $row i32) (param $width i32) (result f32)
    (local $at i32) (local $end i32) (local $most v128) (local $greatest f32) (local $factor v128)
    (local.set $at (local.get $floats))
    (local.set $end (i32.add (local.get $floats) (i32.mul (local.get $width) (i32.const 4))))
    (loop $nextStep
      (local.set $most (f32x4.max (local.get $most) (f32x4.abs (v128.load (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $nextStep (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $greatest
      (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
        (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))
    ;; Of a row of zeros this is infinite, its products are no numbers, and those become 0.
    (local.set $factor (f32x4.splat (f32.div (f32.const 127) (local.get $greatest))))
    (local.set $at (local.get $floats))
    (loop $nextStep
      (v128.store (local.get $row)
        (i8x16.narrow_i16x8_s
          (i16x8.narrow_i32x4_s
            (i32x4.trunc_sat_f32x4_s (f32x4.nearest
              (f32x4.mul (v128.load (local.get $at)) (local.get $factor))))
            (i32x4.trunc_sat_f32x4_s (f32x4.nearest
              (f32x4.mul (v128.load offset=16 (local.get $at)) (local.get $factor)))))
          (i16x8.narrow_i32x4_s
            (i32x4.trunc_sat_f32x4_s (f32x4.nearest
              (f32x4.mul (v128.load offset=32 (local.get $at)) (local.get $factor))))
            (i32x4.trunc_sat_f32x4_s (f32x4.nearest
              (f32x4.mul (v128.load offset=48 (local.get $at)) (local.get $factor)))))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $nextStep (i32.lt_u (local.get $at) (local.get $end))))
    (f32.store (local.get $row) (f32.div (local.get $greatest) (f32.const 2080768)))
    (local.get $greatest)))
