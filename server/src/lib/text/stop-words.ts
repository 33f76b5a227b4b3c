/**
 * English function words and question words. They carry the form of a question, not its topic.
 * Contractions appear in the form that the tokenizer produces ("don't" -> "don").
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above across after again against all along also am among an and any are aren around as at be because been before being below
  between both but by can cannot could couldn did didn do does doesn doing don down during each either few for from
  further get give given had hadn has hasn have haven having he her here hers herself him himself his how however i
  if in into is isn it its itself just let ll many me might more most much must my myself near no nor not of off on once
  only onto or other ought our ours ourselves out over own per please re s same shall shan she should shouldn so
  some such t tell than that the their theirs them themselves then there these they this those through to too toward towards under
  until up upon us ve very was wasn we were weren what whats when where whether which while who whom whose why will
  with within without won would wouldn you your yours yourself yourselves`.split(/\s+/),
)
