/** Beginnings of a sentence that gives the reason for the sentence before it, or the result of it. */
const reasonOpening =
  /^(?:(?:this|that|it|which) (?:is|was|happens|happened|occurs|occurred|comes|came) (?:mainly |mostly |partly |largely |simply )?(?:because|due|since|from|as)|this (?:led|caused|results?|resulted|means?|meant|follows)\b|(?:the|its|their|one|another)(?: \p{L}+)? (?:reasons?|causes?)\b|because\b|therefore|thus\b|hence\b|consequently|accordingly|as a (?:result|consequence)|for (?:this|that) reason|so,|das (?:liegt|lag|kommt|kam) |(?:der|ein|die) (?:grund|ursache)|grund (?:dafür|hierfür)|(?:deshalb|daher|darum|deswegen|denn|folglich|somit|infolgedessen)\b|aus diesem grund|(?:c['’]est|c['’]était) (?:parce|pourquoi|dû)|cela (?:s['’]explique|est dû|vient)|(?:la|une) (?:raison|cause)|(?:en effet|par conséquent|ainsi|donc)\b|(?:esto|eso) (?:se debe|se debió|ocurre|ocurrió)|se deb(?:e|ió) a|la (?:razón|causa)|por (?:eso|ello|lo tanto|tanto|esta razón)|(?:como resultado|en consecuencia|porque)\b)/iu

/** The text of two sentences that follow each other in one paragraph, if the second one begins like a reason or result. */
export function factWithReason(chunkText: string, fact: string, reason: string): string | undefined {
  if (!reasonOpening.test(reason)) return undefined
  const start = chunkText.indexOf(fact)
  const end = chunkText.indexOf(reason, start + fact.length) + reason.length
  const text = chunkText.slice(start, end)
  // Between the two is only white space, without an empty line.
  const isNext = /^\s+$/.test(text.slice(fact.length, -reason.length)) && !/\n\s*\n/.test(text)
  return isNext ? text : undefined
}
