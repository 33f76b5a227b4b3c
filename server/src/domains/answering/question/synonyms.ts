import { tokenize } from '../../../lib/text.ts'

/**
 * Groups of everyday English words that a question and a document often use for the same thing. A group can have a
 * verb and the noun of a label ("leave", "Departure"). The list is short and written by hand; it has no technical
 * vocabulary.
 */
const groups = `
  begin start commence launch onset
  end finish stop terminate conclude expire expiry
  leave depart departure origin originate
  arrive arrival reach
  go head travel bound destine destination
  final last latest
  first initial original
  buy purchase acquire acquisition
  sell sale sold
  pay paid payment
  salary wage pay compensation
  cost price charge fee expense
  money fund funding budget amount
  big large size
  fast quick speed rapid velocity
  tall high height elevation altitude
  long length
  wide width
  deep depth
  heavy weigh weight
  old age aged
  doctor physician
  ill sick illness disease
  drug medicine medication
  car vehicle automobile
  plane airplane aircraft
  airfield airport airstrip aerodrome
  ship vessel boat
  house home residence dwelling address
  live reside residence
  job work occupation employment position role
  worker employee staff personnel
  people person persons personnel
  boss manager supervisor
  company firm corporation business
  law regulation rule statute
  contract agreement
  error mistake fault
  problem issue
  fix repair correct
  crash accident collision
  hurt injure injury injured wound
  kill die died death dead fatal
  hit strike struck collide impact
  cause reason
  detail details information particulars
  more further additional
  contact communicate communication
  authority agency government
  show display
  allow permit
  forbid prohibit ban
  need require required requirement
  make made build built manufacture manufacturer maker produce
  change modify alter amend
  remove delete
  add insert
  help assist support
  get receive obtain
  give provide supply administer
  keep kept retain store retention storage
  choose select
  try attempt
  happen occur occurrence
  own owner possess
  lead led charge responsible direct
  name title called
  part component
  kind type sort category
  place location site
  near close adjacent
  way method procedure
  often frequency frequently
  whole entire total
  test examine examination exam
  check inspect inspection monitor verify
  teach instruct train training
  fly flew flown flight flying
  drive drove driver
  rain precipitation
  break broke broken
  phone telephone
  email mail
  year yearly annual
  month monthly
  week weekly
  day daily
  country nation
  picture image photo
  limit maximum
  join enrol enroll enrollment admission
  refund reimburse reimbursement
  holiday vacation leave
  foot feet ft
  mile miles mi
  inch inches in
  pound pounds lb lbs
  kilogram kilograms kg
  kilometer kilometre km
  meter metre
  hour hours hr hrs
  minute minutes min
  second seconds sec
  horsepower hp
  knot knots kt kts
  percent percentage share
`
  .trim()
  .split('\n')
  .map((line) => tokenize(line))

const synonymsOf = new Map<string, Set<string>>()
for (const group of groups) {
  for (const term of group) synonymsOf.set(term, new Set([...(synonymsOf.get(term) ?? []), ...group]))
}

/** Synonyms (stems) of a term, without itself. */
export function synonyms(term: string): string[] {
  return [...(synonymsOf.get(term) ?? [])].filter((other) => other !== term)
}
