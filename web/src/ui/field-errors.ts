import { messageOf } from './states/error-notice.tsx'

/** What a refusal says of each field: the server's messages begin with the name of the field that is wrong. */
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
