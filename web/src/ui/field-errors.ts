import { messageOf } from './states/error-notice.tsx'

/** The field that a rejected request complains about, by its name in the server's message; `rest` if it names none. */
export function fieldErrors<Name extends string>(
  error: unknown,
  fields: readonly Name[],
): { of: Partial<Record<Name, string>>; rest: string | undefined } {
  if (error == null) return { of: {}, rest: undefined }
  const message = messageOf(error)
  const field = fields.find((name) => new RegExp(`(?:^|/|\\b)${name}\\b`).test(message))
  return field
    ? { of: { [field]: message } as Partial<Record<Name, string>>, rest: undefined }
    : { of: {}, rest: message }
}
