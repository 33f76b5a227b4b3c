/** The rules of one language. Patterns are matched against lower-case text with normal apostrophes and hyphens. */
export interface Rules {
  /** Beginnings of a question that continues a conversation. */
  opening: RegExp
  /** A question of hardly more than a question word: "Why?", "How much in 2019?". */
  bare: RegExp
  /** A question word, or another beginning of a whole question or command. */
  whole: RegExp
  /**
   * Words that refer to something before them, and how many words that name something may stand between the question
   * word and them: the question does not refer to the conversation if it names the thing itself.
   */
  referring: readonly [pattern: RegExp, maxNaming: number][]
  /** Words that refer to the conversation wherever they stand. */
  pointing: RegExp
  /** Phrases in which such words refer to nothing ("How long does it take to …"). */
  idle: RegExp
  /** The question word of a bare question, and its value. */
  questionWord: RegExp
  /** Words that name nothing. */
  empty: ReadonlySet<string>
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

const englishAux = 'is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|shall|may|might|must'
const ownDocument = 'document|file|report|text|manual|guide|contract|policy|article|paper|page|table|chat'

export const english: Rules = {
  opening:
    /^(?:and|but|or|also|what about|how about|what of|why not|how so|really|what else|who else|anything else|tell me more|more (?:about|details))\b|^so,/,
  bare: new RegExp(
    `^(?:why|when|where|who|which|what|how(?: much| many| long| often| so| come)?|since when|until when|which ones?)(?: exactly| precisely| not)?(?: (?:in|for|from|with|without|by|during|on|to|of)(?! (?:which|what|whom)\\b)(?: (?!(?:${englishAux})\\b)[^\\s?]+){1,4})?$`,
  ),
  whole: new RegExp(
    `\\b(?:who|whom|whose|what|which|when|where|why|how)\\b|^(?:${englishAux}|explain|describe|list|show|tell|give|define|compare|summari[sz]e|name|find|search|help|translate|write|calculate)\\b`,
  ),
  referring: [
    [
      new RegExp(`\\b(?:${englishAux})(?:n't)? (?:it|they|he|she|that|those)\\b(?!')`),
      Number.POSITIVE_INFINITY,
    ],
    [new RegExp(`\\b(?:this|these)(?=$| (?!(?:${ownDocument})s?\\b))`), Number.POSITIVE_INFINITY],
    [/\bthere(?=$| (?:in|since|before|after|during|on|from|by)\b)/, Number.POSITIVE_INFINITY],
    [/(?<!\bto \w+ )\b(?:it|them|him)(?=$| (?:for|in|on|to|at|from|with|by|after|before|during|about)\b)/, 2],
    [/^(?:who|what) \w+ (?:its|her)\b/, Number.POSITIVE_INFINITY],
    [/\b(?:its|his|her|their|theirs|hers|it|they|he|she)\b(?!')/, 0],
  ],
  pointing:
    /\b(?:do|done|doing) (?:it|that|this|so)\b|\bdid (?:it|so|this)$|\bthat$|^(?:why|how|when|where|who) (?:is|was|did|does) (?:this|that)\b(?! \p{L}+ (?:is|was|of|in|for|that)\b)|\bthe (?:same|latter|former)$|\b(?:instead|as well|too)$|\b(?:which|that|the other|the first|the second|the last) ones?\b/u,
  idle: new RegExp(
    `\\bit (?:take|takes|took|cost|costs|mean|means|possible|necessary|true|legal|illegal|allowed|important|called|better|common|safe|hard|easy|difficult|that)\\b.* (?:to|that|when|if|for)\\b|\\bwhat time is it\\b|\\bit (?:is|was)\\b|\\b(?:is|was) it (?:to|that|who)\\b|\\b(?:${englishAux}|be|been|wasn't|weren't|isn't|aren't) there\\b|\\bthere (?:is|are|was|were)\\b|\\b(?:that|those|these) (?:who|which|that|of|were|are|is|was|have|has|had|can|did)\\b`,
    'g',
  ),
  questionWord:
    /^(how (?:much|many|long|often|come)|since when|until when|which ones?|\w+)(?: exactly| precisely| not)?(?: (.+))?$/iu,
  empty: words(
    `a an the who whom whose what which when where why how much many long often far old big large high exactly kind
    type year date day time amount number name reason is are was were am be been being do does did has have had can could
    will would should shall may might must not in on at of for from to with by about during and or so then
    any some other else ever also still`,
  ),
}

const german: Rules = {
  opening:
    /^(?:und|aber|oder|auch|wie sieht es mit|wie steht es (?:mit|um)|was ist mit|wie wär's mit|was noch|wer noch|sonst noch)\b/,
  bare: /^(?:seit wann|bis wann|wie ?viele?|wie lange|wie oft|warum|wieso|weshalb|wann|wo|wohin|woher|wer|wen|wem|wie|was)(?: genau| nicht| denn)?(?: (?:in|im|für|von|vom|mit|ohne|am|bei|nach|vor)(?: [^\s?]+){1,3})?$/,
  whole:
    /\b(?:wann|wo|wer|wen|wem|wessen|wie|was|warum|wieso|weshalb|welche[rsnm]?|woher|wohin|wieviele?|wozu|womit|wofür)\b|^(?:ist|sind|war|waren|hat|haben|hatte|hatten|wird|werden|wurde|wurden|kann|können|darf|dürfen|muss|müssen|soll|gibt|gab|erkläre|beschreibe|nenne|zeige|finde)\b/,
  referring: [
    [/(?<!\p{L})(?:er|sie|es|ihn|ihm|ihnen)(?!\p{L})/u, Number.POSITIVE_INFINITY],
    [
      /(?<!\p{L})diese[rsmn]?(?!\p{L})(?! (?:dokument|datei|bericht|text|vertrag|anleitung|handbuch|artikel|tabelle|seite))/u,
      Number.POSITIVE_INFINITY,
    ],
    [
      /(?<!\p{L})(?:dort|damals|dafür|davon|danach|daran|dabei|damit|dazu)(?!\p{L})/u,
      Number.POSITIVE_INFINITY,
    ],
    [/(?<!\p{L})(?:sein|seine[rsmn]?|ihr|ihre[rsmn]?)(?! *$)(?!\p{L})/u, 0],
  ],
  pointing: /(?<!\p{L})(?:das|dies|dasselbe|stattdessen)$|(?<!\p{L})(?:war|ist|hat|kostet) das(?! \p{L}+ )/u,
  idle: /\b(?:gibt|gab|geht|handelt|handelte|heißt|dauert|kommt) es\b|\bes (?:gibt|gab|geht|heißt)\b|\bes (?:\p{L}+ )*(?:zu|dass|ob|wenn)\b|\bist es (?:möglich|erlaubt|verboten|nötig|wahr)\b/gu,
  questionWord:
    /^(seit wann|bis wann|wie ?viele?|wie lange|wie oft|\p{L}+)(?: genau| nicht| denn)?(?: (.+))?$/iu,
  empty: words(
    `wann wo wer wen wem wessen wie was warum wieso weshalb welche welcher welches welchen welchem woher wohin wieviel
    viel viele lange oft groß hoch alt der die das den dem des ein eine einen einem einer eines in im an am auf für von vom
    zu zum zur mit ohne bei nach vor über und oder genau jahr tag datum uhr`,
  ),
}

const french: Rules = {
  opening: /^(?:et|mais|ou alors|aussi|qu'en est-il|quid|quoi d'autre|qui d'autre)(?= |$)/,
  bare: /^(?:depuis quand|jusqu'à quand|pour qui|pourquoi|quand|où|qui|quoi|comment|combien|lequel|laquelle|lesquels|lesquelles)(?: exactement| pas| donc)?(?: (?:en|pour|au|aux|à|avec|sans|dans|de|chez)(?: [^\s?]+){1,3})?$/,
  whole:
    /(?<!\p{L})(?:qui|que|quoi|quel(?:le)?s?|quand|où|pourquoi|comment|combien|est-ce)(?!\p{L})|^qu'|^(?:est|sont|était|a|ont|peut|faut|doit|existe|explique|décris|donne|liste|montre|nomme)\b/u,
  referring: [
    [/\p{L}+-(?:t-)?(?:ils?|elles?)(?!\p{L})/u, 0],
    [/(?:est-ce qu'|^qu'|que )(?:ils?|elles?)(?!\p{L})/u, 0],
    [/(?<![\p{L}'-])(?:son|sa|ses|leurs?|lui)(?!\p{L})/u, 1],
    [/(?<![\p{L}'-])(?:celui|celle|ceux|celles)-ci(?!\p{L})/u, Number.POSITIVE_INFINITY],
    [
      /(?<![\p{L}'-])(?:cette|cet|ces)(?!\p{L})(?! (?:document|fichier|rapport|texte|contrat|article|manuel|page|tableau))/u,
      Number.POSITIVE_INFINITY,
    ],
  ],
  pointing: /(?<!\p{L})(?:cela|ça|là-bas|ceci)(?!\p{L})/u,
  idle: /y a-t-il|faut-il|s'agit-il|existe-t-il|est-il (?:possible|nécessaire|vrai|permis|interdit)|qu'il (?:y a|faut|s'agit|existe)/gu,
  questionWord: /^(depuis quand|jusqu.à quand|pour qui|\p{L}+)(?: exactement| pas| donc)?(?: (.+))?$/iu,
  empty: words(
    `qui que quoi quel quelle quels quelles quand où pourquoi comment combien est-ce est sont était a ont peut
    le la les l un une des de du d en au aux à et ou dans pour par sur avec sans fut date année jour argent temps`,
  ),
}

const spanish: Rules = {
  opening: /^(?:y|e|pero|o|también|qué hay de|qué tal|qué pasa con|qué más|quién más)(?= |$)/,
  bare: /^(?:desde cuándo|hasta cuándo|por qué|cuándo|dónde|quién(?:es)?|cómo|cuál(?:es)?|cuánt[oa]s?)(?: exactamente| no)?(?: (?:en|para|de|con|sin|a|por)(?: [^\s?]+){1,3})?$/,
  whole:
    /(?<!\p{L})(?:qué|quién(?:es)?|cuál(?:es)?|cuándo|dónde|por qué|cómo|cuánt[oa]s?)(?!\p{L})|^(?:es|son|era|fue|está|hay|tiene|puede|debe|explica|describe|nombra|muestra)\b/u,
  referring: [
    [/(?<!\p{L})(?:él|ella|ellos|ellas|sus?)(?!\p{L})/u, 1],
    [/(?<!\p{L})(?:les?|lo(?! que\b| cual\b| más\b| mismo\b)) \p{L}+/u, 0],
    [
      /(?<!\p{L})(?:este|esta|ese|esa|esos|esas|estos|estas)(?!\p{L})(?! (?:documento|archivo|informe|texto|contrato|artículo|manual|página|tabla))/u,
      Number.POSITIVE_INFINITY,
    ],
  ],
  pointing: /(?<!\p{L})(?:eso|esto|aquello|allí|ahí)(?!\p{L})|^(?:cuándo|dónde|cuánto|cómo|por qué) \p{L}+$/u,
  idle: /$^/g,
  questionWord: /^(¿?\s*(?:desde cuándo|hasta cuándo|por qué|\p{L}+))(?: exactamente| no)?(?: (.+))?$/iu,
  empty: words(
    `qué quién quiénes cuál cuáles cuándo dónde por cómo cuánto cuánta cuántos cuántas es son era fue está hay
    el la los las un una unos unas de del en al a y o para con sin se ha han fecha año día dinero tiempo`,
  ),
}

/** German before the others: "wo", "was" and "die" are words of two languages. English is also the last resort. */
const others: readonly [marks: RegExp, rules: Rules][] = [
  [
    /^(?:und|aber|oder|auch|wann|wo|wer|wen|wem|wessen|wie|warum|wieso|weshalb|welche[rsnm]?|woher|wohin|wieviele?|seit|bis|ist|sind|war|waren|hat|haben|hatte|wird|werden|wurden?|kann|können|gibt|gab|für|im|mit)\b|^was (?:ist|sind|war|waren|hat|haben|kostet|kosten|bedeutet|macht|passiert|geschah|noch|kann|wird|wurde|soll|muss|gibt|steht|der|die|das|er|sie|es)\b|^in (?:welche|wie|dem|der|den)/,
    german,
  ],
  [
    /^(?:et|mais|y a|quand|où|qui|quoi|quel(?:le)?s?|pourquoi|comment|combien|que|est-ce|lequel|laquelle|depuis|jusqu'à|quid|pour|en|dans|de quel|à quel|au)(?= |$|-)|^qu'/,
    french,
  ],
  [
    /^¿|^(?:y|pero|qué|quién(?:es)?|cuál(?:es)?|cuándo|dónde|por qué|cómo|cuánt[oa]s?|desde|hasta|también|para)(?= |$)/,
    spanish,
  ],
]

/** Words after which a question may refer to something that it has named itself. */
const clauseMark =
  /[,;:]|(?<!\p{L})(?:when|while|after|before|if|because|that|until|whether|than|who|whose|which|what|where|why|how|wenn|weil|dass|lorsque|parce|cuando|porque)(?!\p{L})/u
/** The question word and its noun ("how much money", "in which year"), or its verb ("wo liegt"). */
const askedFor = new RegExp(
  `^(?:(?:in|at|on|by|for|from|to|with|during|since|en|de|à|a|para|für|seit) )?(?:${[
    'how (?:much|many) \\p{L}+',
    `(?:what|which) \\p{L}+(?= (?:${englishAux})(?!\\p{L}))`,
    "combien d(?:e |')\\p{L}+",
    'quel(?:le)?s? \\p{L}+',
    'cuánt[oa]s? \\p{L}+',
    '(?:wo|wann|warum|wie|was|woher|wohin|où|quand|comment|pourquoi|combien)(?: se)? \\p{L}+',
    '(?!(?:if|in|the|wenn|falls|si)(?!\\p{L}))\\p{L}+',
  ].join('|')})(?!\\p{L})`,
  'u',
)
/** A longer text has a subject of its own. */
const maxLength = 300
/** A longer fragment is a search of its own. */
const maxFragmentWords = 3

/** A question in lower case without the marks around it, and the rules of its language. */
export function readQuestion(question: string): { text: string; rules: Rules } {
  const even = question.trim().replace(/[‘’ʼ]/g, "'").replace(/\s+/g, ' ')
  const text = even.toLowerCase().replace(/[\s?!.…]+$/, '')
  const rules = others.find(([marks]) => marks.test(text))?.[1] ?? english
  return { text: text.replace(/^¿\s*/, ''), rules }
}

/**
 * Whether a question probably needs the turns before it: it begins like a continuation ("And in 2019?"), is hardly more
 * than a question word or a value ("Why?", "For children?"), or refers to something that it does not name itself
 * ("When did she do it?"). English, German, French and Spanish.
 */
export function leansOnConversation(question: string): boolean {
  if (question.length > maxLength) return false
  const { text, rules } = readQuestion(question)
  if (!/[\p{L}\p{N}]/u.test(text)) return false
  if (rules.opening.test(text) || rules.bare.test(text)) return true
  const isFragment = !rules.whole.test(text) && text.split(' ').length <= maxFragmentWords
  const rest = text.replace(rules.idle, (phrase) => '_'.repeat(phrase.length))
  return (
    isFragment || rules.pointing.test(rest) || rules.referring.some((rule) => refersBack(rest, rule, rules))
  )
}

/** Whether a referring word of a question has nothing before it in the question that it could refer to. */
function refersBack(
  text: string,
  [pattern, maxNaming]: Rules['referring'][number],
  { empty }: Rules,
): boolean {
  const at = text.search(pattern)
  if (at < 0) return false
  const before = text.slice(0, at).replace(askedFor, '')
  const naming = before.split(/[^\p{L}\p{N}-]+/u).filter((word) => word.length > 1 && !empty.has(word))
  return !clauseMark.test(before) && naming.length <= maxNaming
}
