/** File extensions of source code, lower case. */
export const codeExtensions = [
  'js',
  'ts',
  'py',
  'java',
  'c',
  'cpp',
  'h',
  'cs',
  'php',
  'rb',
  'sh',
  'bat',
  'ps1',
] as const
export type CodeExtension = (typeof codeExtensions)[number]

/** File extensions that can be uploaded, lower case. */
export const supportedExtensions = [
  'pdf',
  'docx',
  'txt',
  'md',
  'html',
  'xml',
  'csv',
  'json',
  'yaml',
  'yml',
  ...codeExtensions,
] as const
export type SupportedExtension = (typeof supportedExtensions)[number]
