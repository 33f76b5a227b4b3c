/** Names of days, as dates in digits. */
export const holidays: readonly [RegExp, string][] = [
  [/\bchristmas eve\b/g, '24 december'],
  [/\bchristmas day\b/g, '25 december'],
  [/\bboxing day\b/g, '26 december'],
  [/\bnew year['’]?s eve\b/g, '31 december'],
  [/\bnew year['’]?s day\b/g, '1 january'],
  [/\bhalloween\b/g, '31 october'],
  [/\bvalentine['’]?s day\b/g, '14 february'],
  [/\blast day of (january|march|may|july|august|october|december)\b/g, '31 $1'],
  [/\blast day of (april|june|september|november)\b/g, '30 $1'],
  [/\blast day of the year\b/g, '31 december'],
  [/\bfirst day of (?=[jfmasond][a-z]+ber\b|january|february|march|april|may|june|july|august)/g, '1 '],
]

/** Spellings of measures, in the form that quantities are read from. */
export const phrases: readonly [RegExp, string][] = [
  [/\b(?:degrees?|deg\.?) (c|f)(?:elsius|entigrade|ahrenheit)?\b/g, '°$1'],
  [/\bmiles? (?:per|an) hour\b/g, 'mph'],
  [/\b(?:km|kilomet(?:re|er)s?) (?:per|an) hour\b/g, 'km/h'],
  [/\b(?:m|met(?:re|er)s?) per second\b/g, 'm/s'],
  [/\bsq(?:\.|uare)? ?/g, 'square '],
  [/\b(\d+)['’′] ?(\d+)(?:["”″]|'')/g, '$1 feet $2 inches'],
  [/(\d)\.(?=\d{3}\b(?!\.))(?=\d{3}(?:[ €]|$))/g, '$1'],
  [/\bbetween (\S+) and (\S+)/g, '$1 to $2'],
]
