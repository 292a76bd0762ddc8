/**
 * The process of the load generator. It receives the requests to send and the port, then runs for a
 * bounded time and number of requests whenever it is told to. The first wrong response ends it,
 * because a rate of wrong responses is meaningless.
 */
import { type Connection, openConnection } from './connection.ts'
import { Latencies } from './latency.ts'
import { createSource, type Source, type SourceSpec } from './source.ts'

export interface Setup {
  port: number
  connections: number
  source: SourceSpec
}

export interface Bounds {
  seconds: number
  requests: number
}

export interface Load {
  requests: number
  seconds: number
  perSecond: number
  p50: number
  p99: number
  /** CPU time of the generator for each request, in microseconds. */
  generatorMicros: number
}

export type ToGenerator = { setup: Setup } | { run: Bounds }
export type FromGenerator = { ready: true } | { load: Load } | { failed: string }

interface Run {
  started: number
  until: number
  left: number
  answered: number
  flying: number
  latencies: Latencies
  cpu: NodeJS.CpuUsage
}

class Generator {
  readonly #setup: Setup
  readonly #source: Source
  #connections: Connection[] = []
  readonly #sentAt: number[] = []
  #run: Run | undefined

  constructor(setup: Setup) {
    this.#setup = setup
    this.#source = createSource(setup.source)
  }

  /** Each run opens its own connections, because servers close those that idle for seconds. */
  async run({ seconds, requests }: Bounds): Promise<void> {
    const { port, connections } = this.#setup
    this.#connections = await Promise.all(
      Array.from({ length: connections }, (_, i) =>
        openConnection(port, {
          answer: (answer) => {
            const now = performance.now()
            this.#source.check(i, answer)
            this.#answered(i, now)
          },
          fault: fail,
        }),
      ),
    )
    const started = performance.now()
    this.#run = {
      started,
      until: started + seconds * 1000,
      left: requests,
      answered: 0,
      flying: 0,
      latencies: new Latencies(),
      cpu: process.cpuUsage(),
    }
    for (const i of this.#connections.keys()) this.#send(i, started, this.#run)
  }

  #send(i: number, now: number, run: Run): void {
    if (run.left === 0 || now >= run.until) return
    run.left--
    run.flying++
    this.#sentAt[i] = now
    this.#connections[i]?.send(this.#source.next(i))
  }

  #answered(i: number, now: number): void {
    const run = this.#run
    if (!run) throw new Error('an answer came that nobody asked for')
    run.flying--
    run.answered++
    run.latencies.record(now - (this.#sentAt[i] ?? now))
    this.#send(i, now, run)
    if (run.flying === 0) this.#finish(run, now)
  }

  #finish(run: Run, now: number): void {
    this.#run = undefined
    for (const connection of this.#connections) connection.close()
    const { user, system } = process.cpuUsage(run.cpu)
    const seconds = (now - run.started) / 1000
    report({
      load: {
        requests: run.answered,
        seconds,
        perSecond: run.answered / seconds,
        p50: run.latencies.quantile(0.5),
        p99: run.latencies.quantile(0.99),
        generatorMicros: (user + system) / run.answered,
      },
    })
  }
}

function report(message: FromGenerator): void {
  process.send?.(message)
}

function fail(error: Error): void {
  process.send?.({ failed: error.message } satisfies FromGenerator, () => process.exit(1))
}

let generator: Generator | undefined
process.on('uncaughtException', fail)
process.on('disconnect', () => process.exit(0))
process.on('message', (message: ToGenerator) => {
  if ('setup' in message) {
    generator = new Generator(message.setup)
    report({ ready: true })
  } else {
    generator?.run(message.run).catch(fail)
  }
})
