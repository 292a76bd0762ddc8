/** What is asked of a language model, whichever protocol it speaks. */
import type { WriterSettings } from '../../../config/writer.ts'

export interface Turn {
  role: 'user' | 'assistant'
  text: string
}

export interface Question {
  /** What the model is there for; what strangers wrote stands in turns alone. */
  system: string
  turns: readonly Turn[]
  /** JSON Schema of the answer. */
  schema: object
  /** Tokens of the answer at most. */
  maxTokens: number
  /** For servers that know no more of the protocol than its core. */
  plain: boolean
}

export interface ModelAnswer {
  text: string
  /** Cut: it ran into the limit of its length. Refused: the model will not write this. */
  end: 'whole' | 'cut' | 'refused'
  tokens: { input: number; output: number }
}

export interface Protocol {
  headers(settings: WriterSettings): Record<string, string>
  body(settings: WriterSettings, question: Question): object
  /** What an answer of status 200 says; undefined where it is none of this protocol. */
  read(body: unknown): ModelAnswer | undefined
}

type JsonObject = Record<string, unknown>

/** An object of an answer; empty for what is none. */
export function bag(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : 0
}
