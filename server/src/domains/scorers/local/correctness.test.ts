import { describe, expect, it } from 'vitest'
import { correctness } from './correctness.ts'
import { labelledAnswers, measureCorrectness } from './labelled.ts'

const labelled = labelledAnswers()

describe('the local correctness scorer', () => {
  it.each(['tuning', 'held-out', 'whole'])('separates right from wrong answers, on the %s set', (half) => {
    const set = labelled.filter((one) => half === 'whole' || one.half === half)
    const { auc, accuracy, misses } = measureCorrectness(set)
    const details = JSON.stringify(misses, null, 1)
    expect(auc, details).toBeGreaterThanOrEqual(0.9)
    expect(accuracy, details).toBeGreaterThanOrEqual(0.85)
  })

  it.each([...new Set(labelled.filter(({ right }) => !right).map(({ kind }) => kind))])(
    'ranks right answers above answers that are wrong by %s',
    (kind) => {
      const set = labelled.filter((one) => one.right || one.kind === kind)
      expect(measureCorrectness(set).auc).toBeGreaterThanOrEqual(0.9)
    },
  )

  it('has enough labelled answers of each kind', () => {
    const count = (kind: string) => labelled.filter((one) => one.kind === kind && !one.right).length
    expect(labelled.length).toBeGreaterThanOrEqual(220)
    expect(count('negation')).toBeGreaterThanOrEqual(40)
    expect(count('number')).toBeGreaterThanOrEqual(40)
  })

  it.each([
    ['The alarm rings before the gate closes.', 'The gate closes after the alarm rings.', 1],
    ['The alarm rings before the gate closes.', 'The gate closes before the alarm rings.', 0],
    ['Iron is heavier than wood.', 'Wood is lighter than iron.', 1],
    ['Broken glass goes into the red bin.', 'Broken glass goes into the blue bin.', 0],
    ['It was 12,400 on 3 May 2020.', 'On May 3rd, 2020 it was 12400.', 1],
    ['Die Frist beträgt 14 Tage.', 'Die Frist beträgt 30 Tage.', 0],
  ])('%s: %s', (expected, output, right) => {
    const { score } = correctness.score({ input: undefined, output, expected_output: expected })
    expect(score >= 0.7 ? 1 : 0).toBe(right)
  })

  it.each([
    [
      'clock times in words',
      'When does it open?',
      '6:30 a.m.',
      'It opens at half past six in the morning.',
      true,
    ],
    [
      'clock times in words',
      'When does it open?',
      '6:30 a.m.',
      'It opens at half past seven in the morning.',
      false,
    ],
    ['clock times in words', 'When is the last bus?', '23:45', 'At a quarter to midnight.', true],
    ['units', 'How long is the film?', '90 minutes', 'An hour and a half.', true],
    ['units', 'How hot is the oven?', '180 °C', '356 °F', true],
    ['units', 'How hot is the oven?', '180 °C', '180 °F', false],
    ['units', 'How tall is she?', '5 feet 10 inches', 'About 178 cm.', true],
    ['fractions', 'How much is forest?', 'three quarters', '75 % of it is forest.', true],
    ['fractions', 'How much is forest?', 'three quarters', 'A quarter of it is forest.', false],
    ['bounds', 'How many guests?', 'No more than 20 guests.', 'At least 20 guests.', false],
    ['bounds', 'How many guests?', 'No more than 20 guests.', 'Up to 20 guests.', true],
    ['dates', 'When was the launch?', '3 March 2029', '03/03/2029', true],
    ['other languages', 'Wie lange dauert es?', 'zwei Stunden', '120 Minuten', true],
    [
      'other languages',
      'Wer zahlt die Reinigung?',
      'der Mieter',
      'Die Reinigung geht auf Kosten des Mieters.',
      true,
    ],
    ['swapped roles', 'Who pays whom?', 'Anna pays Ben.', 'Ben pays Anna.', false],
    ['swapped roles', 'Who pays whom?', 'Anna pays Ben.', 'Ben is paid by Anna.', true],
    ['swapped roles', 'Who lent it?', 'Maria lent her car to Tom.', 'Tom borrowed the car from Maria.', true],
    [
      'swapped roles',
      'Where does it go?',
      'The ferry goes from Dover to Calais.',
      'The ferry goes from Calais to Dover.',
      false,
    ],
    [
      'swapped roles',
      'Who does what?',
      'The manager approves the request and finance pays it.',
      'Finance approves the request and the manager pays it.',
      false,
    ],
    [
      'the order of steps',
      'What are the steps?',
      'First rinse the rice, then boil it.',
      'First boil the rice, then rinse it.',
      false,
    ],
    [
      'the order of steps',
      'When is the battery taken out?',
      'before opening the case',
      'Open the case first and then remove the battery.',
      false,
    ],
    [
      'the order of steps',
      'What happens before the vote?',
      'the debate',
      'The vote is held and then the debate.',
      false,
    ],
    [
      'the order of steps',
      'How is it released?',
      'It is reviewed, then tested, then deployed.',
      'After review, it is tested and only then deployed.',
      true,
    ],
    ['rejected alternatives', 'Which city?', 'Canberra', 'It is Sydney, not Canberra.', false],
    ['rejected alternatives', 'Which city?', 'Canberra', 'It is not Sydney but Canberra.', true],
    [
      'rejected alternatives',
      'What should I use?',
      'Use tabs rather than spaces.',
      'Use spaces instead of tabs.',
      false,
    ],
    ['amounts', 'Who passed?', 'All students passed.', 'Some students passed.', false],
    ['amounts', 'Which doors are locked?', 'Neither door is locked.', 'Both doors are unlocked.', true],
    ['amounts', 'How often does it run?', 'every day', 'It runs weekly.', false],
    ['lists', 'Which colours?', 'Red and white', 'Red, white and blue', false],
    [
      'second answers',
      'What is the dose?',
      'two tablets',
      'Take two tablets. The dose is four tablets.',
      false,
    ],
    [
      'second answers',
      'Is the path open?',
      'It is open.',
      'It is open. The path is closed to everybody.',
      false,
    ],
    ['undecided answers', 'Which city?', 'Paris', 'Paris or Lyon.', false],
    ['names', 'Who discovered it?', 'Alexander Fleming', 'Fleming discovered it.', true],
    ['names', 'Who chaired it?', 'Judith Penrose', 'Julia Penrose chaired it.', false],
    ['names', 'Which airport?', 'London Gatwick', 'London Heathrow.', false],
    ['symbols', 'Which grade?', 'B', 'She got a C.', false],
    [
      'questions without an answer',
      'Who won?',
      'not stated in the text',
      "The text doesn't say who won.",
      true,
    ],
    ['questions without an answer', 'Who won?', 'not stated in the text', 'Uruguay won.', false],
    [
      'prevention',
      'What does the valve do?',
      'It prevents the water from flowing back.',
      'It makes the water flow back.',
      false,
    ],
  ] as const)('compares %s: %s %s | %s', (_, input, expected_output, output, right) => {
    const { score, reasoning } = correctness.score({ input, output, expected_output })
    expect(score >= 0.7, reasoning).toBe(right)
  })

  it('reads texts that repeat figures, names or marks in linear time', () => {
    const texts = ['1', '0a', 'twenty ', 'not ', 'Wa Xo ', 'a, ', '" ', "'", 'half past ', '1.', 'x'].map(
      (part) => part.repeat(20_000 / part.length),
    )
    for (const output of texts) {
      const { score } = correctness.score({ input: 'How many?', output, expected_output: `${output} no` })
      expect(score).toBeGreaterThanOrEqual(0)
    }
  })

  it('explains its score', () => {
    const reasonOf = (expected_output: string, output: string) =>
      correctness.score({ input: 'What does it cost?', output, expected_output }).reasoning
    expect(reasonOf('It costs $15.', 'It costs $50.')).toBe('expected $15, the output has $50')
    expect(reasonOf('It is free.', 'It is not free.')).toBe(
      'expected "free", the output says the opposite: "not: free"',
    )
    expect(reasonOf('It is free.', 'I am not sure.')).toContain('gives no answer')
  })
})
