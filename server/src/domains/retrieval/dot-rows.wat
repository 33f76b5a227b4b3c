;; Dot products of one vector with every row of a matrix of 32-bit floats, 16 floats a step. JavaScript takes about six
;; times as long. `dot-rows.wasm.ts` holds the compiled module; a test compiles this text again and compares.
(module
  (memory (import "memory" "memory") 1)
  ;; Addresses in bytes; `width` is a row's size in bytes, a multiple of 64; rows are packed.
  (func (export "dotRows")
    (param $matrix i32) (param $vector i32) (param $out i32) (param $rows i32) (param $width i32)
    (local $vectorEnd i32) (local $at i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $vectorEnd (i32.add (local.get $vector) (local.get $width)))
    (block $done
      (loop $nextRow
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $a (v128.const f32x4 0 0 0 0))
        (local.set $b (v128.const f32x4 0 0 0 0))
        (local.set $c (v128.const f32x4 0 0 0 0))
        (local.set $d (v128.const f32x4 0 0 0 0))
        (local.set $at (local.get $vector))
        (loop $nextStep
          (local.set $a (f32x4.add (local.get $a)
            (f32x4.mul (v128.load (local.get $matrix)) (v128.load (local.get $at)))))
          (local.set $b (f32x4.add (local.get $b)
            (f32x4.mul (v128.load offset=16 (local.get $matrix)) (v128.load offset=16 (local.get $at)))))
          (local.set $c (f32x4.add (local.get $c)
            (f32x4.mul (v128.load offset=32 (local.get $matrix)) (v128.load offset=32 (local.get $at)))))
          (local.set $d (f32x4.add (local.get $d)
            (f32x4.mul (v128.load offset=48 (local.get $matrix)) (v128.load offset=48 (local.get $at)))))
          (local.set $matrix (i32.add (local.get $matrix) (i32.const 64)))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $nextStep (i32.lt_u (local.get $at) (local.get $vectorEnd))))
        (local.set $a (f32x4.add
          (f32x4.add (local.get $a) (local.get $b))
          (f32x4.add (local.get $c) (local.get $d))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $nextRow)))))
