/**
 * Notifications of the progress of a call that goes on after its answer (MCP, "Progress"): for a client
 * that gives a `progressToken` and accepts an event stream, the answer comes when the work has ended, or
 * after a while.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignProgress } from '../../campaigns/progress.ts'
import { isRefusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { isObject } from '../../lib/text/i-json.ts'
import type { ProgressToken } from './protocol.ts'

type Output = Record<string, unknown>

interface Followed {
  /** The operation that tells how far it is; a name is that of a tool. */
  by: Operation | string
  id: string
  /** Undefined where there is nothing to follow. */
  read(output: Output): { progress: number; total?: number; isOver: boolean } | undefined
  /** Whether the last look is the answer too. */
  isAnswer?: true
}

const followed: Readonly<Record<string, Followed>> = {
  'contact.tag': {
    by: 'contact.tag',
    id: 'tagging_id',
    isAnswer: true,
    read: ({ looked, contacts, state, changed, undone }) => ({
      progress: Number(state === 'undoing' ? undone : looked),
      total: Number(state === 'undoing' ? changed : contacts),
      isOver: state === 'done' || state === 'undone',
    }),
  },
  'import.confirm': {
    by: 'import.get',
    id: 'import_id',
    isAnswer: true,
    read: ({ state, progress }) => ({
      progress: isObject(progress) ? Number(progress['percent']) : 100,
      total: 100,
      isOver: state !== 'running' && state !== 'checking',
    }),
  },
  'campaign.deploy': {
    by: campaignProgress,
    id: 'campaign_id',
    read: ({ status, done, recipients }) => ({
      progress: Number(done ?? 0),
      ...(recipients !== undefined && { total: Number(recipients) }),
      isOver: status !== 'deployed',
    }),
  },
}

const lookMs = 500

/** Shorter than clients wait for an answer; a test whose client waits longer sets it higher. */
export const progressWait = { longestMs: 20_000 }

interface Following {
  operation: Operation
  input: Output
  output: Output
  token: ProgressToken
  find(name: string): Operation | undefined
  call(operation: Operation, input: Output): Promise<unknown>
  /** Sends a message ahead of the answer. */
  notify(message: string): void
  signal: AbortSignal
}

/** Sends notifications until the work of a call has ended, and returns the answer as it is by then. */
export async function followProgress(following: Following): Promise<Output> {
  const { operation, input, output, token, find, call, notify, signal } = following
  const rule = followed[operation.name]
  const id = output[rule?.id ?? '']
  const by = typeof rule?.by === 'string' ? find(rule.by) : rule?.by
  if (!rule || !by || typeof id !== 'string') return output
  const { business_id } = input
  const look = { ...(business_id !== undefined && { business_id }), [rule.id]: id }
  const until = Date.now() + progressWait.longestMs
  let latest = output
  let last = -1
  for (;;) {
    const state = rule.read(latest)
    if (state && state.progress > last) {
      last = state.progress
      const { progress, total } = state
      const params = { progressToken: token, progress, ...(total !== undefined && { total }) }
      notify(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }))
    }
    const isFirst = latest === output
    if ((state?.isOver && !(isFirst && !rule.isAnswer)) || Date.now() >= until) break
    if (!isFirst || rule.isAnswer) {
      try {
        await sleep(lookMs, undefined, { signal })
      } catch {
        break
      }
    }
    // The work goes on where a look at it fails.
    const seen = await call(by, look).catch(() => undefined)
    if (isRefusal(seen) || !isObject(seen)) break
    latest = seen
  }
  return rule.isAnswer ? latest : output
}

/** Whether calls of the operation go on after their answer. */
export const isFollowed = ({ name }: Operation): boolean => Object.hasOwn(followed, name)
