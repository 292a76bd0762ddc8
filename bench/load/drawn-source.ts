/** Requests created as they are sent: a template whose blanks are drawn for each call. */
import type { Answer } from './connection.ts'
import type { Source } from './source.ts'

/**
 * `from`: a random text from the list of the token's turn; lists take turns like tokens. `known`:
 * half of the draws are below it, and half are numbers that were never drawn.
 */
export type Draw = { from: string[][] } | { below: number } | { known: number }

export interface DrawnSpec {
  kind: 'drawn'
  path: string
  /** The calls use these tokens in turn. */
  tokens: string[]
  /** The JSON body, in ASCII. `%name%` is replaced by the call's draw under that name. */
  template: string
  draws: Record<string, Draw>
  /** Every correct response contains this text. */
  holds: string
}

export function drawnSource(spec: DrawnSpec): Source {
  const heads = spec.tokens.map((token) => headOf(spec.path, token))
  const parts = spec.template.split('%')
  const drawers = Object.entries(spec.draws).map(([name, draw]) => ({ name, next: drawerOf(draw) }))
  let turn = 0
  return {
    next() {
      const drawn = new Map(drawers.map(({ name, next }) => [name, next(turn)]))
      const body = parts.map((part, i) => (i % 2 === 0 ? part : drawn.get(part))).join('')
      const head = heads[turn++ % heads.length]
      return Buffer.from(`${head}content-length: ${body.length}\r\n\r\n${body}`, 'latin1')
    },
    check(_, answer: Answer) {
      if (answer.status === 200 && answer.body.includes(spec.holds)) return
      const said = answer.body.toString().slice(0, 500)
      throw new Error(`a wrong answer: ${answer.status} ${said}`)
    },
  }
}

function headOf(path: string, token: string): string {
  return [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    '',
  ].join('\r\n')
}

function drawerOf(draw: Draw): (turn: number) => string {
  if ('from' in draw) {
    return (turn) => {
      const list = draw.from[turn % draw.from.length] ?? []
      return list[whole(list.length)] ?? ''
    }
  }
  if ('below' in draw) return () => String(whole(draw.below))
  let fresh = 0
  // Derived from the process's start, so that a later run never draws the same number.
  const origin = Date.now() * 1000
  return () => String(Math.random() < 0.5 ? whole(draw.known) : origin + fresh++)
}

function whole(below: number): number {
  return Math.floor(Math.random() * below)
}
