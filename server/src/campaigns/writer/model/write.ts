/**
 * Writes a draft with the configured language model. It is called once, and a second time with the
 * faults of its answer. Each answer is limited in time, in tokens and in bytes.
 */
import type { WriterSettings } from '../../../config/writer.ts'
import type { Outbound } from '../../../lib/http-client/outbound-fetch.ts'
import type { Log } from '../../../lib/process/log.ts'
import { seconds } from '../../../lib/time/clock.ts'
import type { Brief } from '../brief.ts'
import type { Copy, Surroundings } from '../copy.ts'
import { readAnswer, schemaFor } from './answer.ts'
import { anthropic } from './anthropic.ts'
import { failureOfNetwork, failureOfStatus, type ModelFailure } from './failure.ts'
import { openai } from './openai.ts'
import { briefTurn, complaintTurns, systemPrompt } from './prompt.ts'
import type { ModelAnswer, Question } from './protocol.ts'

export const modelLimits = {
  /** Milliseconds for one answer: larger models take half a minute. */
  answerMs: seconds(60),
  /** Milliseconds for the whole draft, including the second try. */
  draftMs: seconds(90),
  /** The most tokens of one answer; a long newsletter has 1,500. */
  tokens: 4_000,
  /** The most bytes of an answer that are read. */
  bytes: 256 * 1024,
} as const

export interface ModelDeps {
  settings: WriterSettings
  outbound: () => Promise<Pick<Outbound, 'fetch'>>
  log: Pick<Log, 'info' | 'warn'>
  /** Milliseconds in place of the limit above, for tests. */
  answerMs?: number
}

const protocols = { openai, anthropic }

export function isFailure(result: Copy | ModelFailure): result is ModelFailure {
  return 'reason' in result
}

export async function writeByModel(
  deps: ModelDeps,
  brief: Brief,
  around: Surroundings,
): Promise<Copy | ModelFailure> {
  const until = Date.now() + modelLimits.draftMs
  const schema = schemaFor(brief, around)
  const opening = briefTurn(brief, around)
  const question = { system: systemPrompt, schema, maxTokens: modelLimits.tokens }
  const first = await ask(deps, { ...question, turns: [opening] }, until)
  if ('reason' in first) return first
  if (first.end === 'refused') return { reason: 'refused' }
  const complaint = await complaintAbout(first, brief, around)
  if (typeof complaint !== 'string') return complaint
  const turns = [opening, ...complaintTurns(first.text, complaint)]
  const second = await ask(deps, { ...question, turns }, until)
  if ('reason' in second) return second
  if (second.end === 'refused') return { reason: 'refused' }
  const copy = await complaintAbout(second, brief, around)
  if (typeof copy !== 'string') return copy
  return { reason: second.end === 'cut' ? 'cut' : 'unusable' }
}

/** The copy, or the fault of the answer. */
async function complaintAbout(
  answer: ModelAnswer,
  brief: Brief,
  around: Surroundings,
): Promise<Copy | string> {
  if (answer.end === 'cut') return 'it was cut at the limit of its length: write less.'
  return readAnswer(answer.text, brief, around)
}

/** A server that rejects the schema is called again without it; a rejected call costs nothing. */
async function ask(
  deps: ModelDeps,
  question: Omit<Question, 'plain'>,
  until: number,
): Promise<ModelAnswer | ModelFailure> {
  const answer = await askOnce(deps, { ...question, plain: false }, until)
  const isUnknown = answer === 'not-taken'
  const given = isUnknown ? await askOnce(deps, { ...question, plain: true }, until) : answer
  return given === 'not-taken' ? { reason: 'settings' } : given
}

async function askOnce(
  { settings, outbound, log, answerMs = modelLimits.answerMs }: ModelDeps,
  question: Question,
  until: number,
): Promise<ModelAnswer | ModelFailure | 'not-taken'> {
  const started = Date.now()
  const deadlineMs = Math.min(answerMs, until - started)
  if (deadlineMs <= 0) return { reason: 'timeout' }
  const protocol = protocols[settings.protocol]
  const { fetch } = await outbound()
  const answer = await fetch({
    url: settings.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...protocol.headers(settings),
    },
    body: JSON.stringify(protocol.body(settings, question)),
    deadlineMs,
    bodyMs: deadlineMs,
    maxBytes: modelLimits.bytes,
  })
  const ms = Date.now() - started
  if (answer.outcome === 'failed') {
    log.warn({ reason: answer.reason, code: answer.code, ms }, 'writer.failed')
    return failureOfNetwork(answer)
  }
  const { status } = answer
  if (status !== 200) {
    log.warn({ status, ms }, 'writer.failed')
    if (status === 400 || status === 422) return 'not-taken'
    return failureOfStatus(status, [answer.headers['retry-after']].flat()[0])
  }
  if (!answer.complete) return { reason: 'too-long' }
  const read = protocol.read(jsonOf(answer.body))
  if (!read) return { reason: 'failing' }
  log.info({ ms, end: read.end, ...read.tokens }, 'writer.answered')
  return read
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
