/** Question words of languages other than English, whose question words are stop words. Answers do not contain them. */
const questionWords = new Set(
  `wann wo wer wen wem wessen wie was warum wieso weshalb welche welcher welches welchen welchem woher wohin wieviel wieviele
  où ou quand qui quoi comment pourquoi combien quel quelle quels quelles
  cuándo dónde quién quiénes qué cómo cuánto cuánta cuántos cuántas cuál cuáles
  quando onde quem como porquê quanto quanta quantos quantas qual quais
  dove chi perché quale quali wanneer waar wie waarom hoeveel welke
  когда где кто что как почему зачем сколько какой какая какое какие куда откуда
  коли де хто що як чому скільки який яка яке які
  πότε πού ποιος ποια ποιο ποιοι ποιες τι πώς γιατί πόσο πόσα πόσοι πόσες
  nerede kim nasıl kaç kaçta neden niçin hangi zaman
  متى أين من ما ماذا كيف كم لماذا هل`.split(/\s+/),
)
/** Chinese has no spaces, so these words would form pairs of characters that no document contains. */
const chineseWords =
  /什么时候|为什么|什么|哪一?[年天个里些种座家位]?|多少|怎么样?|几[点年天个]?|谁|何时|是|的|了|吗|呢/g

/** Removes the question words of a text; English text is returned unchanged. */
export function withoutQuestionWords(text: string, language: string): string {
  const isChinese = /\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
  if (isChinese) return text.replace(chineseWords, ' ')
  if (language === 'english') return text
  return text.replace(/[\p{L}\p{M}]+/gu, (word) => (questionWords.has(word.toLowerCase()) ? '' : word))
}
