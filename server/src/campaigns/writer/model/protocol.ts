/** A request to a language model, whichever protocol it uses. */
import type { WriterSettings } from '../../../config/writer.ts'

export interface Turn {
  role: 'user' | 'assistant'
  text: string
}

export interface Question {
  /** The task of the model. Only the turns contain text by strangers. */
  system: string
  turns: readonly Turn[]
  /** The JSON Schema of the answer. */
  schema: object
  /** The most tokens of the answer. */
  maxTokens: number
  /** For servers that support only the core of the protocol. */
  plain: boolean
}

export interface ModelAnswer {
  text: string
  /** `cut`: the answer reached its length limit. `refused`: the model will not write this. */
  end: 'whole' | 'cut' | 'refused'
  tokens: { input: number; output: number }
}

export interface Protocol {
  headers(settings: WriterSettings): Record<string, string>
  body(settings: WriterSettings, question: Question): object
  /** Parses a response of status 200; undefined where it does not follow this protocol. */
  read(body: unknown): ModelAnswer | undefined
}

type JsonObject = Record<string, unknown>

/** An object of a response; empty where the value is not an object. */
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
