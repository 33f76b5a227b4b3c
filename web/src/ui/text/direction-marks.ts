/** Characters that change the order in which other characters are shown. */
const marks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Makes characters visible that could make code look like other code. */
export function showDirectionMarks(text: string): string {
  return text.replace(
    marks,
    (mark) => `⟦U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟧`,
  )
}
