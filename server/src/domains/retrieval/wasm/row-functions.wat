;; The inner loops of a search, over WebAssembly memory. JavaScript would take three to ten times as long.
;; `row-functions.wasm.ts` has the compiled module; a test compiles this text again and compares.
;; Addresses are in bytes, and ranges exclude their `end`. Scores are 32-bit floats by row and not negative. Their arrays are
;; padded with zeros to 16 bytes.
(module
  (memory (import "memory" "memory") 1)

  ;; Words. A posting is a row and its packed frequencies (see segment.ts). A row's record (see rows.ts) has the factors for
  ;; the frequencies in text, heading path and file name, and the number of its document.

  ;; Decodes the postings of `terms` terms (see posting-bytes.ts), and adds `from` to their rows. The arrays `counts` and
  ;; `targets` have, for each term, the number of its postings and the address to write to. Returns the address after the
  ;; decoded bytes.
  (func (export "decodePostings")
    (param $bytes i32) (param $counts i32) (param $targets i32) (param $terms i32) (param $from i32)
    (result i32)
    (local $count i32) (local $target i32) (local $row i32) (local $number i32) (local $others i32)
    (block $done
      (loop $nextTerm
        (br_if $done (i32.eqz (local.get $terms)))
        (local.set $count (i32.load (local.get $counts)))
        (local.set $target (i32.load (local.get $targets)))
        (local.set $row (local.get $from))
        (block $whole
          (loop $next
            (br_if $whole (i32.eqz (local.get $count)))
            (call $read (local.get $bytes))
            (local.set $bytes)
            (local.set $row (i32.add (local.get $row)))
            (call $read (local.get $bytes))
            (local.set $bytes)
            (local.set $number)
            (i32.store (local.get $target) (local.get $row))
            (local.set $others (i32.const 0))
            (if (i32.and (local.get $number) (i32.const 1)) (then
              (call $read (local.get $bytes))
              (local.set $bytes)
              (local.set $others)))
            (i32.store offset=4 (local.get $target) (i32.or
              (i32.shr_u (local.get $number) (i32.const 1))
              (i32.shl (local.get $others) (i32.const 16))))
            (local.set $target (i32.add (local.get $target) (i32.const 8)))
            (local.set $count (i32.sub (local.get $count) (i32.const 1)))
            (br $next)))
        (local.set $counts (i32.add (local.get $counts) (i32.const 4)))
        (local.set $targets (i32.add (local.get $targets) (i32.const 4)))
        (local.set $terms (i32.sub (local.get $terms) (i32.const 1)))
        (br $nextTerm)))
    (local.get $bytes))

  ;; Decodes `count` numbers; returns the address after their bytes.
  (func (export "decodeNumbers") (param $bytes i32) (param $count i32) (param $out i32) (result i32)
    (local $end i32) (local $number i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (call $read (local.get $bytes))
        (local.set $bytes)
        (local.set $number)
        (i32.store (local.get $out) (local.get $number))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next)))
    (local.get $bytes))

  ;; Decodes a number of seven bits per byte, the lowest first (LEB128); returns it and the address after it.
  (func $read (param $at i32) (result i32 i32)
    (local $byte i32) (local $number i32) (local $shift i32)
    (local.set $byte (i32.load8_u (local.get $at)))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (local.set $number (i32.and (local.get $byte) (i32.const 127)))
    (block $whole
      (loop $next
        (br_if $whole (i32.lt_u (local.get $byte) (i32.const 128)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
        (local.set $number (i32.or (local.get $number)
          (i32.shl (i32.and (local.get $byte) (i32.const 127)) (local.get $shift))))
        (br $next)))
    (local.get $number)
    (local.get $at))

  ;; Adds the weighted frequencies of postings, times `similarity`, to the sums in `byRow`. Rows whose sum was 0 are appended to
  ;; the list that ends at `matchedEnd`. Returns the new end of the list.
  (func (export "addFrequencies")
    (param $posting i32) (param $end i32) (param $records i32) (param $similarity f32) (param $byRow i32) (param $matchedEnd i32)
    (result i32)
    (local $row i32) (local $packed i32) (local $record i32) (local $sum i32) (local $before f32) (local $frequency f32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $posting) (local.get $end)))
        (local.set $row (i32.load (local.get $posting)))
        (local.set $packed (i32.load offset=4 (local.get $posting)))
        (local.set $record (i32.add (local.get $records) (i32.shl (local.get $row) (i32.const 4))))
        (local.set $frequency
          (f32.mul (f32.convert_i32_u (i32.and (local.get $packed) (i32.const 0xffff))) (f32.load (local.get $record))))
        (if (i32.gt_u (local.get $packed) (i32.const 0xffff)) (then
          (local.set $frequency (f32.add (local.get $frequency) (f32.add
            (f32.mul
              (f32.convert_i32_u (i32.and (i32.shr_u (local.get $packed) (i32.const 16)) (i32.const 0xff)))
              (f32.load offset=4 (local.get $record)))
            (f32.mul
              (f32.convert_i32_u (i32.shr_u (local.get $packed) (i32.const 24)))
              (f32.load offset=8 (local.get $record))))))))
        (local.set $sum (i32.add (local.get $byRow) (i32.shl (local.get $row) (i32.const 2))))
        (local.set $before (f32.load (local.get $sum)))
        (f32.store (local.get $sum)
          (f32.add (local.get $before) (f32.mul (local.get $similarity) (local.get $frequency))))
        ;; Always written, but the end only moves for a new row: this avoids an unpredictable branch.
        (i32.store (local.get $matchedEnd) (local.get $row))
        (local.set $matchedEnd (i32.add (local.get $matchedEnd)
          (i32.shl (f32.eq (local.get $before) (f32.const 0)) (i32.const 2))))
        (local.set $posting (i32.add (local.get $posting) (i32.const 8)))
        (br $next)))
    (local.get $matchedEnd))

  ;; Adds `weight` times the saturated frequency, f / (k1 + f), to the scores of the rows in a list.
  (func (export "addSaturated")
    (param $matched i32) (param $end i32) (param $byRow i32) (param $k1 f32) (param $weight f32) (param $scores i32)
    (local $offset i32) (local $score i32) (local $frequency f32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $matched) (local.get $end)))
        (local.set $offset (i32.shl (i32.load (local.get $matched)) (i32.const 2)))
        (local.set $frequency (f32.load (i32.add (local.get $byRow) (local.get $offset))))
        (local.set $score (i32.add (local.get $scores) (local.get $offset)))
        (f32.store (local.get $score) (f32.add (f32.load (local.get $score))
          (f32.div
            (f32.mul (local.get $weight) (local.get $frequency))
            (f32.add (local.get $k1) (local.get $frequency)))))
        (local.set $matched (i32.add (local.get $matched) (i32.const 4)))
        (br $next))))

  ;; Sets the frequencies of the rows in a list to 0.
  (func (export "clear") (param $matched i32) (param $end i32) (param $byRow i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $matched) (local.get $end)))
        (f32.store
          (i32.add (local.get $byRow) (i32.shl (i32.load (local.get $matched)) (i32.const 2)))
          (f32.const 0))
        (local.set $matched (i32.add (local.get $matched) (i32.const 4)))
        (br $next))))

  ;; Adds the frequencies in text and file name, times the document's factor, to the sums in `byDocument`. Writes the numbers
  ;; of the documents to the list at `matched`; returns its end. Rows are ascending, and rows of a document are consecutive.
  (func (export "addDocumentFrequencies")
    (param $posting i32) (param $end i32) (param $records i32) (param $factors i32) (param $byDocument i32) (param $matched i32)
    (result i32)
    (local $document i32) (local $last i32) (local $packed i32) (local $sum i32)
    (local.set $last (i32.const -1))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $posting) (local.get $end)))
        (local.set $document (i32.load offset=12
          (i32.add (local.get $records) (i32.shl (i32.load (local.get $posting)) (i32.const 4)))))
        (local.set $packed (i32.load offset=4 (local.get $posting)))
        (i32.store (local.get $matched) (local.get $document))
        (local.set $matched (i32.add (local.get $matched)
          (i32.shl (i32.ne (local.get $document) (local.get $last)) (i32.const 2))))
        (local.set $last (local.get $document))
        (local.set $document (i32.shl (local.get $document) (i32.const 2)))
        (local.set $sum (i32.add (local.get $byDocument) (local.get $document)))
        (f32.store (local.get $sum) (f32.add (f32.load (local.get $sum)) (f32.mul
          (f32.load (i32.add (local.get $factors) (local.get $document)))
          (f32.convert_i32_u (i32.add
            (i32.and (local.get $packed) (i32.const 0xffff))
            (i32.shr_u (local.get $packed) (i32.const 24)))))))
        (local.set $posting (i32.add (local.get $posting) (i32.const 8)))
        (br $next)))
    (local.get $matched))

  ;; Adds `factor` times a row's own score, plus the score of its document, to `scores`. Adds 0 if the own score is 0 or the
  ;; document's score is below 0.
  (func (export "addWithDocuments")
    (param $own i32) (param $end i32) (param $factor f32) (param $records i32) (param $documents i32) (param $scores i32)
    (local $score f32) (local $around f32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $own) (local.get $end)))
        (local.set $score (f32.load (local.get $own)))
        (local.set $around (f32.load (i32.add (local.get $documents)
          (i32.shl (i32.load offset=12 (local.get $records)) (i32.const 2)))))
        (f32.store (local.get $scores) (f32.add (f32.load (local.get $scores)) (select
          (f32.add (f32.mul (local.get $factor) (local.get $score)) (local.get $around))
          (f32.const 0)
          (i32.and
            (f32.ne (local.get $score) (f32.const 0))
            (f32.ge (local.get $around) (f32.const 0))))))
        (local.set $own (i32.add (local.get $own) (i32.const 4)))
        (local.set $records (i32.add (local.get $records) (i32.const 16)))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (br $next))))

  ;; Scores.

  ;; The highest score.
  (func (export "highestScore") (param $scores i32) (param $end i32) (result f32)
    (local $most v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $scores) (local.get $end)))
        (local.set $most (f32x4.pmax (local.get $most) (v128.load (local.get $scores))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 16)))
        (br $next)))
    (f32.max
      (f32.max (f32x4.extract_lane 0 (local.get $most)) (f32x4.extract_lane 1 (local.get $most)))
      (f32.max (f32x4.extract_lane 2 (local.get $most)) (f32x4.extract_lane 3 (local.get $most)))))

  ;; Adds `factor` times the scores to the sums. A sum that is 0 stays 0 if the score is below `minScore`.
  (func (export "addScores")
    (param $scores i32) (param $end i32) (param $factor f32) (param $minScore f32) (param $sums i32)
    (local $score v128) (local $sum v128)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $scores) (local.get $end)))
        (local.set $score (v128.load (local.get $scores)))
        (local.set $sum (v128.load (local.get $sums)))
        (v128.store (local.get $sums) (f32x4.add (local.get $sum) (v128.and
          (f32x4.mul (f32x4.splat (local.get $factor)) (local.get $score))
          (v128.or
            (f32x4.gt (local.get $sum) (v128.const f32x4 0 0 0 0))
            (f32x4.ge (local.get $score) (f32x4.splat (local.get $minScore)))))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 16)))
        (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
        (br $next))))

  ;; The address of the first score of at least `least`, or an address at or after `end` if there is none.
  (func (export "nextAtLeast") (param $scores i32) (param $end i32) (param $least f32) (result i32)
    (local $mask i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $scores) (local.get $end)))
        (local.set $mask (i32x4.bitmask (f32x4.ge (v128.load (local.get $scores)) (f32x4.splat (local.get $least)))))
        (if (local.get $mask) (then
          (return (i32.add (local.get $scores) (i32.shl (i32.ctz (local.get $mask)) (i32.const 2))))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 16)))
        (br $next)))
    (local.get $end))

  ;; Vectors. A row has `width` 8-bit integers, a multiple of 32, and then 16 bytes: a float, the value of the integer 1, and an
  ;; integer, 64 times the sum of the integers.

  ;; Dot products of every row with a query, as floats; negative ones are 0. The query consists of 7-bit digits, in alternating
  ;; blocks of 16 high and 16 low digits. A number of the query is `unit` times (128 (high - 64) + low).
  (func (export "dotRows")
    (param $matrix i32) (param $question i32) (param $unit f32) (param $out i32) (param $rows i32) (param $width i32)
    (local $rowEnd i32) (local $at i32) (local $numbers v128) (local $others v128) (local $sums v128)
    (local $high v128) (local $low v128) (local $otherHigh v128) (local $otherLow v128)
    (block $done
      (loop $nextRow
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $high (v128.const i32x4 0 0 0 0))
        (local.set $low (v128.const i32x4 0 0 0 0))
        (local.set $otherHigh (v128.const i32x4 0 0 0 0))
        (local.set $otherLow (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $question))
        (local.set $rowEnd (i32.add (local.get $matrix) (local.get $width)))
        ;; Four independent sums, because each addition to a sum waits for the previous one.
        (loop $nextStep
          (local.set $numbers (v128.load (local.get $matrix)))
          (local.set $others (v128.load offset=16 (local.get $matrix)))
          (local.set $high (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $numbers) (v128.load (local.get $at)) (local.get $high)))
          (local.set $low (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $numbers) (v128.load offset=16 (local.get $at)) (local.get $low)))
          (local.set $otherHigh (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $others) (v128.load offset=32 (local.get $at)) (local.get $otherHigh)))
          (local.set $otherLow (i32x4.relaxed_dot_i8x16_i7x16_add_s
            (local.get $others) (v128.load offset=48 (local.get $at)) (local.get $otherLow)))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (local.set $matrix (i32.add (local.get $matrix) (i32.const 32)))
          (br_if $nextStep (i32.lt_u (local.get $matrix) (local.get $rowEnd))))
        (local.set $high (i32x4.add (local.get $high) (local.get $otherHigh)))
        (local.set $low (i32x4.add (local.get $low) (local.get $otherLow)))
        ;; high 0 + high 2, high 1 + high 3, low 0 + low 2, low 1 + low 3
        (local.set $sums (i32x4.add
          (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $high) (local.get $low))
          (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $high) (local.get $low))))
        (f32.store (local.get $out)
          (f32.max (f32.const 0)
            (f32.mul
              (f32.mul (f32.load (local.get $matrix)) (local.get $unit))
              (f32.add
                (f32.mul (f32.const 128) (f32.convert_i32_s (i32.sub
                  (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
                  (i32.load offset=4 (local.get $matrix)))))
                (f32.convert_i32_s
                  (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums))))))))
        (local.set $matrix (i32.add (local.get $matrix) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $nextRow))))

  ;; Dot product of two rows of `width` floats, a multiple of 8.
  (func (export "dotFloats") (param $row i32) (param $other i32) (param $width i32) (result f32)
    (local $end i32) (local $sum v128) (local $otherSum v128)
    (local.set $end (i32.add (local.get $row) (i32.shl (local.get $width) (i32.const 2))))
    (loop $nextStep
      (local.set $sum (f32x4.add (local.get $sum)
        (f32x4.mul (v128.load (local.get $row)) (v128.load (local.get $other)))))
      (local.set $otherSum (f32x4.add (local.get $otherSum)
        (f32x4.mul (v128.load offset=16 (local.get $row)) (v128.load offset=16 (local.get $other)))))
      (local.set $row (i32.add (local.get $row) (i32.const 32)))
      (local.set $other (i32.add (local.get $other) (i32.const 32)))
      (br_if $nextStep (i32.lt_u (local.get $row) (local.get $end))))
    (local.set $sum (f32x4.add (local.get $sum) (local.get $otherSum)))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
      (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))

  ;; Quantizes floats to a row, so that the float with the largest absolute value becomes 127 or -127; returns that value.
  (func (export "roundRow")
    (param $floats i32) (param $row i32) (param $width i32) (result f32)
    (local $at i32) (local $end i32) (local $most v128) (local $greatest f32) (local $factor v128)
    (local $numbers v128) (local $sum v128)
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
    ;; For a row of zeros this is infinite. The products are then NaN, which the truncation converts to 0.
    (local.set $factor (f32x4.splat (f32.div (f32.const 127) (local.get $greatest))))
    (local.set $at (local.get $floats))
    (loop $nextStep
      (local.set $numbers
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
      (v128.store (local.get $row) (local.get $numbers))
      (local.set $sum (i32x4.add (local.get $sum)
        (i32x4.extadd_pairwise_i16x8_s (i16x8.extadd_pairwise_i8x16_s (local.get $numbers)))))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $nextStep (i32.lt_u (local.get $at) (local.get $end))))
    (f32.store (local.get $row) (f32.div (local.get $greatest) (f32.const 127)))
    (i32.store offset=4 (local.get $row) (i32.shl
      (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
        (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))
      (i32.const 6)))
    (local.get $greatest)))
