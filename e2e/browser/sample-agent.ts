import { crc32, deflateSync } from 'node:zlib'
import type { CreateTrace, SpanInput } from '@cairn/sdk'

/** A PNG image with two colours that run into each other. */
export function samplePng(width = 240, height = 120): string {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows.set([40 + (x * 160) / width, 90 + (y * 120) / height, 150], y * (width * 3 + 1) + 1 + x * 3)
    }
  }
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([size, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]).toString('base64')
}

/** A quarter of a second of silence as WAV. */
function sampleWav(): string {
  const samples = Buffer.alloc(2000, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8000, 24)
  head.writeUInt32LE(8000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples]).toString('base64')
}

const report = `## What I found

The pump **P-104** runs _too hot_: three readings above the limit of \`82 °C\`, see the [manual](https://example.com/p104).

| Reading | Time | °C |
|---|---|---|
| 1 | 09:12 | 84.5 |
| 2 | 09:40 | 86.1 |
| 3 | 10:05 | 88.0 |

1. Close the valve.
2. Wait for ten minutes:
   - the fan must run
   - the lamp is green
3. Read the log again:

\`\`\`python
def too_hot(readings: list[float], limit: float = 82.0) -> bool:
    """True if any reading is above the limit."""
    return any(value > limit for value in readings)  # no smoothing
\`\`\`

> A reading below 20 °C means that the sensor is not connected.

- [x] readings checked
- [ ] valve closed

![the pump](https://images.example/pump.png)
`

const question = [
  { role: 'system', content: 'You help the engineers of a water works. Use the tools before you answer.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Is the pump in this picture too hot? Here is also what the guard said.' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${samplePng()}` } },
      { type: 'input_audio', input_audio: { format: 'wav', data: sampleWav() } },
    ],
  },
]

const tools = [
  {
    type: 'function',
    function: {
      name: 'read_sensor',
      description: 'The last readings of a sensor.',
      parameters: { type: 'object', properties: { sensor: { type: 'string' } }, required: ['sensor'] },
    },
  },
  { type: 'function', function: { name: 'search_manual', description: 'Passages of the manual.' } },
]

const conversation = [
  ...question,
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'read_sensor', arguments: '{"sensor":"P-104/t"}' },
      },
      { id: 'call_2', type: 'function', function: { name: 'search_manual', arguments: '{"query":"limit"}' } },
    ],
  },
  {
    role: 'tool',
    tool_call_id: 'call_1',
    content: '{"readings":[84.50,86.1,88.0],"serial":9007199254740993}',
  },
  { role: 'tool', tool_call_id: 'call_2', content: 'The limit of P-104 is 82 °C.' },
]

const passages = [
  {
    chunk_text:
      'The temperature of P-104 must stay below 82 °C. Above it, close valve 7 and wait for ten minutes.',
    score: 0.91,
    filename: 'manual-p104.pdf',
    file_id: 'file_p104',
    chunk_id: 'chunk_7',
    chat_id: 'chat_manuals',
  },
  { chunk_text: 'يجب إغلاق الصمام رقم 7 عند ارتفاع درجة الحرارة.', score: 0.74, filename: 'دليل.pdf' },
  {
    chunk_text: '温度が82度を超えた場合は、バルブ7を閉じてください。',
    score: 0.7,
    filename: '取扱説明書.pdf',
  },
]

/** An agent with 60 spans: rounds of a model, searches and tools, with images, long Markdown, Arabic, Japanese and errors. */
export function longAgentTrace(now: number): CreateTrace {
  const spans: SpanInput[] = []
  const add = (span: Omit<SpanInput, 'start_ms' | 'end_ms'>, from: number, to: number) => {
    spans.push({ ...span, start_ms: now - 20_000 + from, end_ms: now - 20_000 + to })
  }
  add({ span_id: 'root', name: 'inspect pump', kind: 'agent', output: report }, 0, 18_400)
  for (let round = 0; round < 8; round++) {
    const from = 100 + round * 2250
    const id = `round-${round}`
    add({ span_id: id, parent_id: 'root', name: `round ${round + 1}`, kind: 'chain' }, from, from + 2200)
    add(
      {
        span_id: `${id}-llm`,
        parent_id: id,
        name: round === 3 ? 'محادثة مع النموذج' : 'chat gpt-4o',
        kind: 'llm',
        model: 'gpt-4o',
        input: { model: 'gpt-4o', messages: round === 0 ? conversation : conversation.slice(0, 2), tools },
        output: { role: 'assistant', content: round === 3 ? 'المضخة ساخنة جدًا: **88.0 °C**.' : report },
        token_usage: { prompt_tokens: 900 + round * 310, completion_tokens: 120, ...{ cached_tokens: 512 } },
        cost: 0.0031 + round * 0.0008,
      },
      from + 20,
      from + 900,
    )
    add(
      {
        span_id: `${id}-search`,
        parent_id: id,
        name: round === 5 ? 'マニュアルを検索' : 'search manual',
        kind: 'retrieval',
        input: 'limit of P-104',
        output: passages,
      },
      from + 910,
      from + 1150,
    )
    add(
      { span_id: `${id}-embed`, parent_id: `${id}-search`, name: 'embed query', kind: 'embedding' },
      from + 915,
      from + 980,
    )
    add({ span_id: `${id}-tools`, parent_id: id, name: 'tools', kind: 'chain' }, from + 1160, from + 2150)
    for (let tool = 0; tool < 2; tool++) {
      const isFailed = round % 3 === 2 && tool === 1
      add(
        {
          span_id: `${id}-tool-${tool}`,
          parent_id: `${id}-tools`,
          name: tool === 0 ? 'read_sensor' : 'close_valve',
          kind: 'tool',
          input: { sensor: 'P-104/t', valve: 7 },
          ...(isFailed
            ? {
                status: 'error',
                error: 'TimeoutError: the valve did not answer within 800 ms',
                events: [
                  {
                    name: 'exception',
                    time_ms: now - 20_000 + from + 1960,
                    attributes: { 'exception.type': 'TimeoutError', 'exception.message': 'no answer' },
                  },
                ],
              }
            : { output: { readings: [84.5, 86.1, 88], ok: true } }),
        },
        from + 1170,
        from + 1960,
      )
    }
  }
  let parent = 'round-7-tools'
  for (const name of ['retry', 'connect to the gateway', 'open a channel to the valve controller']) {
    add({ span_id: name, parent_id: parent, name, kind: 'chain' }, 17_100, 17_900)
    parent = name
  }
  return {
    name: 'inspect pump',
    input: JSON.stringify({ messages: question, tools }),
    output: report,
    model: 'gpt-4o',
    version: '1.4.0',
    environment: 'production',
    latency_ms: 18_400,
    tags: ['agent', 'pumps'],
    token_usage: { prompt_tokens: 15_880, completion_tokens: 960, total_tokens: 16_840 },
    cost: 0.0472,
    session_id: 'shift-7',
    user_id: 'engineer-2',
    spans,
    created_at: new Date(now - 20_000).toISOString(),
  }
}
