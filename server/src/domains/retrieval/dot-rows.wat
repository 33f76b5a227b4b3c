;; Dot products of one vector with every row of a matrix, 16 numbers a step. The rows are 8-bit integers, the vector 16-bit
;; ones, the sums 32-bit ones. JavaScript takes about ten times as long. `dot-rows.wasm.ts` holds the compiled module; a
;; test compiles this text again and compares.
(module
  (memory (import "memory" "memory") 1)
  ;; Addresses in bytes. `width` is a row's size in bytes, a multiple of 16; rows are packed.
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
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
            (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $nextRow)))))
