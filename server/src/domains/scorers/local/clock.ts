/** Clock times in words, as digits. */

const phase = String.raw`(?: ?(a\.?m\b\.?|p\.?m\b\.?| in the (?:early |late )?(?:morning|afternoon|evening)| at night))?`
const hour = String.raw`(\d{1,2}|noon|midday|midnight)(?![\d:.,%]\d| ?%)(?: o'?clock)?`
const pastOrTo = new RegExp(
  String.raw`\b(half|(?:an? )?quarter|\d{1,2}(?: minutes?)?) (past|after|to|before|till|of) ${hour}${phase}`,
  'gi',
)
const oClock = new RegExp(String.raw`\b(\d{1,2})(?::(\d{2}))? o'?clock${phase}`, 'gi')
const inPhase =
  /\b(\d{1,2})(?:[:.](\d{2}))?( in the (?:early |late )?(?:morning|afternoon|evening)| at night)\b/gi
/** Words after which "ten to twelve" is a time and not a range. */
const atTime = /\b(?:at|by|until|till|before|after|since|is|about|around|it's)\s$/i

/** Replaces times in words by digits: `a quarter to seven in the evening` -> `6:45 pm`, `noon` -> `12:00 pm`. */
export function clockTimes(text: string): string {
  return text
    .replace(/\bhalf (?=\d{1,2} (?:in the|at night|o'?clock|[ap]\.?m))/gi, 'half past ')
    .replace(
      pastOrTo,
      (all: string, amount: string, word: string, full: string, part: string | undefined, at: number) => {
        const isBefore = /^(?:to|before|till|of)$/i.test(word)
        const isNumber = /^\d/.test(amount)
        if (
          isNumber &&
          !part &&
          !/^[nm]/i.test(full) &&
          !(/past/i.test(word) || atTime.test(text.slice(Math.max(0, at - 8), at)))
        )
          return all
        if (/^(?:before|of|after)$/i.test(word) && !part && !isNumber) return all
        const minutes = /half/i.test(amount) ? 30 : /quarter/i.test(amount) ? 15 : Number.parseInt(amount, 10)
        // "At 7 to 9" is a span of time.
        if (minutes > 59 || (isBefore && minutes % 5 !== 0)) return all
        const named = /midnight/i.test(full) ? 0 : /noon|midday/i.test(full) ? 12 : undefined
        const hours = named ?? Number(full)
        if (hours > 24) return all
        const total = (hours * 60 + (isBefore ? -minutes : minutes) + 1440) % 1440
        if (named !== undefined || hours > 12) return shown(total)
        // Before 1 o'clock is 12 o'clock, with an unknown half of the day.
        const half = total % 720
        const known = halfOf(part, isBefore ? hours - 1 : hours)
        return `${Math.floor(half / 60) || 12}:${pad(half % 60)}${known}`
      },
    )
    .replace(
      oClock,
      (_, hours: string, minutes: string | undefined, part: string | undefined) =>
        `${hours}:${minutes ?? '00'}${halfOf(part, Number(hours))}`,
    )
    .replace(inPhase, (all, hours: string, minutes: string | undefined, part: string) =>
      Number(hours) > 12 ? all : `${hours}:${minutes ?? '00'}${halfOf(part, Number(hours))}`,
    )
    .replace(/\b(?:12 )?(?:noon|midday)\b/gi, '12:00 pm')
    .replace(/\b(?:12 )?midnight\b/gi, '12:00 am')
    .replace(/\b(\d{1,2})h(\d{2})?\b(?! ?\d)/g, (all, hours: string, minutes: string | undefined) =>
      minutes === undefined ? all : `${hours}:${minutes}`,
    )
    .replace(/\b([01]\d|2[0-3])([0-5]\d) hours\b/g, '$1:$2')
    .replace(
      /\b(\d{1,2})(?::(\d{2}))? uhr(?: (\d{2}))?\b/gi,
      (_, h: string, m?: string, late?: string) => `${h}:${m ?? late ?? '00'}`,
    )
}

function halfOf(part: string | undefined, hours: number): string {
  if (part === undefined) return ''
  if (/night/i.test(part)) return hours >= 6 && hours < 12 ? ' pm' : ' am'
  return /^\s*a|morning/i.test(part.replace(/ in the/i, '')) && !/afternoon/i.test(part) ? ' am' : ' pm'
}

function shown(total: number): string {
  const half = total % 720
  return `${Math.floor(half / 60) || 12}:${pad(half % 60)} ${total < 720 ? 'am' : 'pm'}`
}

function pad(minutes: number): string {
  return String(minutes).padStart(2, '0')
}
