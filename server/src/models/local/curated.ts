export interface CuratedFile {
  /** Path in the repository of the hub. */
  path: string
  /** Name in the folder of the model. */
  name: string
  /** As published by the hub for this revision; without it, the checksum is recorded at the first pull. */
  sha256?: string
}

export interface CuratedModel {
  name: string
  kind: 'embedding' | 'rerank'
  /** Repository of the hub, and a commit of it, so that its files never change. */
  repository: string
  revision: string
  licence: string
  /** Approximate size of all files. */
  megabytes: number
  about: string
  files: readonly CuratedFile[]
}

/**
 * The hub publishes checksums of large files only. The others are text files of the same commit; their checksums are recorded
 * when they are pulled.
 */
function filesOf(path: string, sha256: string): CuratedFile[] {
  return [
    { path, name: 'model.onnx', sha256 },
    ...['tokenizer.json', 'tokenizer_config.json', 'config.json'].map((name) => ({ path: name, name })),
  ]
}

/** Models that `cairn models pull` knows. Checksums are copied from the hub's page of each file at its revision. */
export const curatedModels: readonly CuratedModel[] = [
  {
    name: 'all-minilm-l6-v2',
    kind: 'embedding',
    repository: 'Xenova/all-MiniLM-L6-v2',
    revision: 'da5f6eac91a9596269707e15ec694e50e25a0d14',
    licence: 'Apache-2.0',
    megabytes: 24,
    about: 'English; 384 numbers; 8-bit weights',
    files: filesOf(
      'onnx/model_quantized.onnx',
      'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
    ),
  },
  {
    name: 'all-minilm-l6-v2-float',
    kind: 'embedding',
    repository: 'Xenova/all-MiniLM-L6-v2',
    revision: 'da5f6eac91a9596269707e15ec694e50e25a0d14',
    licence: 'Apache-2.0',
    megabytes: 91,
    about: 'English; 384 numbers; 32-bit weights',
    files: filesOf('onnx/model.onnx', '759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e'),
  },
  {
    name: 'ms-marco-minilm-l4-v2',
    kind: 'rerank',
    repository: 'Xenova/ms-marco-MiniLM-L-4-v2',
    revision: 'fe8d6077e59fdc76f7d67dcf6157c24cf43b652f',
    licence: 'Apache-2.0',
    megabytes: 20,
    about: 'English; fast; 8-bit weights',
    files: filesOf(
      'onnx/model_quantized.onnx',
      'ff4b58e869a5c4ec0c6691caf045bc0e294b3cc34b9f015d8a5fc8d6aeb3b2d3',
    ),
  },
  {
    name: 'ms-marco-minilm-l12-v2',
    kind: 'rerank',
    repository: 'Xenova/ms-marco-MiniLM-L-12-v2',
    revision: 'a229a7c2e08fefe9797c6c9c81c437537b5c8810',
    licence: 'Apache-2.0',
    megabytes: 35,
    about: 'English; better and three times slower; 8-bit weights',
    files: filesOf(
      'onnx/model_quantized.onnx',
      'c5551b3e446396364913c5ad79e9c8411a76d26523b7d87232052ae6c0d0c7fd',
    ),
  },
]
