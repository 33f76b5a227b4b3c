/** Limits of the contract, and the defaults of those that can be configured. Sizes in bytes, times in ms. */
export const limits = {
  jsonBodyBytes: 10 * 1024 * 1024,
  /** Objects and lists of a JSON body inside of one another, fields of one object, and values in a body or an item of a batch. */
  jsonDepth: 1024,
  jsonFields: 10_000,
  jsonValues: 200_000,
  /** Values in a whole batch of traces, and its tags and custom attributes together. */
  batchValues: 2_000_000,
  batchLabels: 50_000,
  /** Fields of an urlencoded form. */
  formFields: 1000,
  fileBytes: 5 * 1024 * 1024,
  bulkFiles: 10,
  /** Of a whole request that uploads several files. */
  bulkBytes: 55 * 1024 * 1024,
  processingMs: 30_000,
  /** For a request to arrive as a whole. */
  requestMs: 300_000,
  duplicateWindowMs: 30_000,
  requestsPerSecondPerKey: 100,
  wrongAdminTokensPerMinute: 30,
  wrongKeysPerMinute: 300,
  queriesPerMinutePerUser: 60,
  uploadsPerMinutePerUser: 30,
  bulkUploadsPerMinutePerUser: 10,
  idTokenLength: 12_288,
  tracesPerBatch: 1000,
  tagsPerTrace: 1000,
  /** Characters of input and output in a row of the list of traces. */
  previewLength: 300,
  idempotencyMs: 24 * 60 * 60 * 1000,
  largestAmount: 1e15,
  /** USD per 1,000,000 tokens. */
  largestPrice: 1_000_000,
  pricesPerProject: 1000,
  listDefault: 100,
  listMax: 1000,
  publicationsKept: 10,
  scopesPerChat: 20,
  scopeNameLength: 64,
  scopeStringLength: 255,
  contextChunks: 8,
  searchResults: 100,
  questionLength: 100_000,
  /** Characters of a text that is sent to be made into chunks. */
  textLength: 1_000_000,
  documentIdLength: 200,
  /** Characters of a chunk that is edited; the server's own have 1,600 at most. */
  chunkLength: 10_000,
  propertiesPerNode: 50,
  propertyNameLength: 100,
  propertyTextLength: 10_000,
  propertyListLength: 100,
  /** Characters of the JSON of all properties of a node together. */
  propertiesLength: 100_000,
  versionLength: 256,
  descriptionLength: 10_000,
  scorerSlugLength: 64,
  scorerPromptLength: 50_000,
  scorerChoices: 20,
  scorersPerProject: 200,
  rulesPerProject: 200,
  /** Characters of the JSON of a filter that is stored. */
  filterLength: 20_000,
  modelNameLength: 200,
  modelsPerProvider: 200,
  tryPromptLength: 20_000,
  tryTokens: 4000,
  tryMs: 30_000,
  largestMultiplier: 1_000_000,
  multipliers: 1000,
  budgetsPerProject: 1000,
  usageRowsMax: 10_000,
  suitesPerProject: 10_000,
  casesPerSuite: 20_000,
  assertionsPerCase: 50,
  regexLength: 1000,
  /** Characters of the JSON of one assertion's value. */
  assertionLength: 100_000,
  runConcurrency: 32,
  /** The longest that a run may give its target for a case. */
  caseMs: 600_000,
} as const
