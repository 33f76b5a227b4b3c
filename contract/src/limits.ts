/** Limits of the contract, and the defaults of configurable limits. Sizes are in bytes, times in ms. */
export const limits = {
  jsonBodyBytes: 10 * 1024 * 1024,
  /** In a JSON body: nesting depth, fields of one object, and values of a body or of one item in a batch. */
  jsonDepth: 1024,
  jsonFields: 10_000,
  jsonValues: 200_000,
  /** In a whole batch of traces: values, and tags plus custom attributes. */
  batchValues: 2_000_000,
  batchLabels: 50_000,
  /** Fields of a URL-encoded form. */
  formFields: 1000,
  fileBytes: 5 * 1024 * 1024,
  bulkFiles: 10,
  /** Size of a request that uploads several files. */
  bulkBytes: 55 * 1024 * 1024,
  processingMs: 30_000,
  /** Time for a whole request to arrive. */
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
  /** Traces that a request names by their ids, for example to tag them. */
  tracesPerSelection: 100,
  tagsPerChange: 20,
  scoresPerTrace: 1000,
  /** Characters of the comment of a score. */
  scoreCommentLength: 10_000,
  /** Of a trace that arrives by OTLP. */
  spansPerTrace: 20_000,
  spanBytesPerTrace: 50 * 1024 * 1024,
  /** Characters of input and of output in a preview of a trace. */
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
  /** Characters of a prompt, and of one passage, that the trace of an answer keeps. */
  tracedPromptLength: 200_000,
  tracedPassageLength: 20_000,
  searchResults: 100,
  questionLength: 100_000,
  /** Characters of a text that the client sends instead of a file. */
  textLength: 1_000_000,
  documentIdLength: 200,
  /** Characters of an edited chunk; chunks that the server makes have at most 1,600. */
  chunkLength: 10_000,
  relationshipsPerChunk: 200,
  propertiesPerNode: 50,
  propertyNameLength: 100,
  propertyTextLength: 10_000,
  propertyListLength: 100,
  /** Characters of the JSON with all properties of a node. */
  propertiesLength: 100_000,
  versionLength: 256,
  descriptionLength: 10_000,
  scorerSlugLength: 64,
  scorerPromptLength: 50_000,
  scorerChoices: 20,
  scorersPerProject: 200,
  rulesPerProject: 200,
  /** Characters of the JSON of a stored filter. */
  filterLength: 20_000,
  modelNameLength: 200,
  modelsPerProvider: 200,
  /** The key of a service account is a JSON text of about 2,400 characters. */
  providerKeyLength: 10_000,
  /** Servers with OpenAI's API that have names of their own. */
  modelServers: 100,
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
  /** The longest time limit of a run for one case. */
  caseMs: 600_000,
} as const
