/**
 * Ten connections that call one operation as often as they may. They run in a thread of their own,
 * so that their CPU time is not measured as waiting time of another business.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Flooded, FloodOrder } from './flood.ts'

const { endpoint, tokens, body, seconds, callsPerSecond } = workerData as FloodOrder
/** How many calls of a connection wait for an answer; with the largest bodies more would need too much memory. */
const outstanding = 3
/** How long answers are waited for after the last call, in milliseconds. */
const lateMs = 10_000

const flooded: Flooded = { answered: 0, refused: 0, limited: 0, failed: 0, fault: undefined }
const until = performance.now() + seconds * 1_000
let last = 0

async function call(token: string): Promise<void> {
  flooded.failed++
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body.replaceAll('__N__', `${process.pid}-${++last}`),
      signal: AbortSignal.timeout(Math.ceil(until - performance.now() + lateMs)),
    })
    const said = await response.text()
    flooded.failed--
    if (response.status === 429) flooded.limited++
    else if (response.ok && !said.includes('"isError":true')) flooded.answered++
    else flooded.refused++
  } catch (error) {
    // Failures after the end are not reported.
    if (performance.now() < until) flooded.fault ??= String(error)
  }
}

async function connection(token: string): Promise<void> {
  const open = new Set<Promise<void>>()
  const pause = 1_000 / callsPerSecond
  for (let at = performance.now(); at < until; at += pause) {
    await sleep(Math.max(0, at - performance.now()))
    while (open.size >= outstanding) await Promise.race(open)
    if (performance.now() >= until) break
    const one = call(token).finally(() => open.delete(one))
    open.add(one)
  }
  await Promise.all(open)
}

// A call that neither ends nor fails counts as failed, so that the measurement can go on.
const end = sleep(seconds * 1_000 + lateMs + 1_000)
await Promise.race([Promise.all(tokens.map(connection)), end])
parentPort?.postMessage(flooded)
process.exit()
