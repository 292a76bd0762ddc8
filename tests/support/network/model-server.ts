/** A server that acts as a language model and gives the answers that a test sets. */
import type http from 'node:http'
import type { WriterSettings } from 'crier-server/config/writer.ts'
import { createOutbound, type Outbound } from 'crier-server/lib/http-client/outbound-fetch.ts'
import { createGuard, parseAllowRule } from 'crier-server/lib/http-client/outbound-guard.ts'
import { httpServer, type RemoteServer } from './remote-server.ts'

export type Wording = 'openai' | 'anthropic'

export interface ModelRequest {
  path: string
  headers: http.IncomingHttpHeaders
  body: Record<string, unknown>
  /** Everything that was sent to the model, as one text. */
  text: string
}

/** Answers the nth question, from 0. */
export type Answering = (asked: ModelRequest, n: number, response: http.ServerResponse) => void

export interface ModelServer {
  asked: ModelRequest[]
  settings: WriterSettings
  outbound: () => Promise<Outbound>
  close(): Promise<void>
}

export const modelKey = 'sk-test-0123456789'

export async function modelServer(wording: Wording, answer: Answering): Promise<ModelServer> {
  const asked: ModelRequest[] = []
  const far: RemoteServer = await httpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { headers, url: path = '' } = request
      const one = { path, headers, body: JSON.parse(text), text: text.replaceAll('\\\\', '\\') }
      asked.push(one)
      answer(one, asked.length - 1, response)
    })
  })
  const rule = parseAllowRule(`127.0.0.1/32:${far.port}`)
  const outbound = createOutbound({
    guard: createGuard({ allowHttp: true, rules: rule ? [rule] : [] }),
  })
  const path = wording === 'openai' ? '/v1/chat/completions' : '/v1/messages'
  return {
    asked,
    settings: {
      protocol: wording,
      url: `http://127.0.0.1:${far.port}${path}`,
      key: modelKey,
      model: 'test-model',
    },
    outbound: () => Promise.resolve(outbound),
    async close() {
      await outbound.close()
      await far.close()
    },
  }
}

/** An answer in the protocol's wrapping. */
export function says(wording: Wording, said: unknown, end?: 'cut' | 'refused'): Answering {
  const body = wording === 'openai' ? chatCompletion(said, end) : message(said, end)
  return (_asked, _n, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

export function fails(status: number, headers: Record<string, string> = {}): Answering {
  return (_asked, _n, response) => {
    response.writeHead(status, headers).end('{"error":{"message":"no"}}')
  }
}

/** Gives the answers in order, and repeats the last one. */
export function inTurn(...answers: Answering[]): Answering {
  return (asked, n, response) => {
    const answer = answers[Math.min(n, answers.length - 1)]
    answer?.(asked, n, response)
  }
}

const textOf = (said: unknown) => (typeof said === 'string' ? said : JSON.stringify(said))

function chatCompletion(said: unknown, end: string | undefined) {
  const reasons: Record<string, string> = { cut: 'length', refused: 'content_filter' }
  const finish_reason = end === undefined ? 'stop' : reasons[end]
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: textOf(said) }, finish_reason }],
    usage: { prompt_tokens: 900, completion_tokens: 300, total_tokens: 1200 },
  }
}

function message(said: unknown, end: string | undefined) {
  const reasons: Record<string, string> = { cut: 'max_tokens', refused: 'refusal' }
  const content =
    typeof said === 'string'
      ? [{ type: 'text', text: said }]
      : [{ type: 'tool_use', id: 'toolu_1', name: 'draft', input: said }]
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: end === undefined ? 'tool_use' : reasons[end],
    usage: { input_tokens: 900, output_tokens: 300 },
  }
}
