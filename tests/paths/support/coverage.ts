/**
 * The functions of the server that run during some work, and their lines: V8's precise coverage, of
 * this thread and of those it starts. Coverage must begin before the sources are loaded, so import
 * the measured code after `startCoverage`.
 */

import { readFileSync } from 'node:fs'
import { type NodeWorker, type Profiler, Session } from 'node:inspector/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The lines that ran, by a file such as `core/writes/unit-of-work.ts`. */
export type Lines = ReadonlyMap<string, ReadonlySet<number>>

export interface Coverage {
  /** Returns the lines that ran during `work`. */
  during(work: () => Promise<unknown>): Promise<Lines>
}

const sources = path.join(import.meta.dirname, '../../../server/src/')
const sourcesUrl = pathToFileURL(sources).href

export async function startCoverage(): Promise<Coverage> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const threads = await watchThreads()
  const take = async (): Promise<Profiler.ScriptCoverage[]> => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return [...result, ...(await threads.take())]
  }
  return {
    async during(work) {
      // Taking the coverage resets the counts.
      await take()
      await work()
      return linesOf(await take())
    },
  }
}

/** The same for threads, by messages that the main thread forwards to each. */
async function watchThreads(): Promise<{ take(): Promise<Profiler.ScriptCoverage[]> }> {
  const session = new Session()
  session.connect()
  const threads = new Set<string>()
  const waiting = new Map<number, (result: Profiler.ScriptCoverage[]) => void>()
  let asked = 0
  const ask = (sessionId: string, method: string, params = {}) => {
    const id = ++asked
    const answer = new Promise<Profiler.ScriptCoverage[]>((done) => waiting.set(id, done))
    const message = JSON.stringify({ id, method, params })
    void session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
    return answer
  }
  session.on('NodeWorker.attachedToWorker', ({ params }) => {
    const { sessionId } = params as NodeWorker.AttachedToWorkerEventDataType
    threads.add(sessionId)
    void ask(sessionId, 'Profiler.enable')
    void ask(sessionId, 'Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    // The thread waits for a debugger, so that all of its code is counted.
    void ask(sessionId, 'Runtime.runIfWaitingForDebugger')
  })
  session.on('NodeWorker.detachedFromWorker', ({ params }) => {
    threads.delete((params as NodeWorker.DetachedFromWorkerEventDataType).sessionId)
  })
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { message } = params as NodeWorker.ReceivedMessageFromWorkerEventDataType
    const { id, result } = JSON.parse(message)
    waiting.get(id)?.(result?.result ?? [])
    waiting.delete(id)
  })
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: true })
  return {
    async take() {
      const all = [...threads].map((thread) => ask(thread, 'Profiler.takePreciseCoverage'))
      return (await Promise.all(all)).flat()
    },
  }
}

function linesOf(scripts: readonly Profiler.ScriptCoverage[]): Lines {
  const found = new Map<string, Set<number>>()
  for (const { url, functions } of scripts) {
    if (!url.startsWith(sourcesUrl)) continue
    const file = fileURLToPath(url)
    const lines = linesThatRan(readFileSync(file, 'utf8'), functions)
    const name = path.relative(sources, file)
    if (lines.size > 0) found.set(name, new Set([...(found.get(name) ?? []), ...lines]))
  }
  return found
}

/** Lines with code in a called function, except its blocks that did not run. */
function linesThatRan(text: string, functions: readonly Profiler.FunctionCoverage[]): Set<number> {
  const ran = new Uint8Array(text.length)
  // Outer functions and blocks come before inner ones.
  for (const { ranges } of functions) {
    const isCalled = (ranges[0]?.count ?? 0) > 0
    for (const { startOffset, endOffset, count } of ranges) {
      ran.fill(isCalled && count > 0 ? 1 : 0, startOffset, endOffset)
    }
  }
  const lines = new Set<number>()
  let at = 0
  for (const [i, line] of text.split('\n').entries()) {
    const first = at + line.length - line.trimStart().length
    const isCode = line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line)
    if (isCode && ran.subarray(first, at + line.length).includes(1)) lines.add(i + 1)
    at += line.length + 1
  }
  return lines
}
