/** `business.list` over HTTP, compared with a bare server and with the SDK's server. */

import { postBytes } from './load/connection.ts'
import { connections, type Driver, startDriver } from './load/drive.ts'
import type { Load } from './load/generator.ts'
import type { FixedSpec } from './load/source.ts'
import { atLeast, type Bench, type Figure, median, number } from './support/bench.ts'
import { businessListCalls, callBody, post } from './support/calls.ts'
import { startRival } from './support/rival.ts'
import { sizes } from './support/sizes.ts'
import { openTestbed } from './support/testbed.ts'

const { rounds, seconds, warmUpSeconds } = sizes.businessList
const warmUp = { seconds: warmUpSeconds }
const measured = { seconds }

const json = { 'content-type': 'application/json' }

export const businessList: Bench = {
  name: 'business-list',
  title: '`business.list` over HTTP, 64 connections',
  method: `The contract's bare call with authentication, rate limit and database, against a bare Fastify JSON echo that moves the same number of bytes, and against the echo tool of the official SDK's server 2 (stateless, over node:http). ${rounds} alternating rounds of ${measured.seconds} s after ${warmUp.seconds} s of warm-up; the ratio of each round is taken within it, and the median of the rounds is shown. Only one server is loaded at a time; every answer is compared byte for byte.`,

  async run(tell) {
    const testbed = await openTestbed()
    const stops: (() => Promise<void>)[] = [() => testbed.close()]
    const drive = async (port: number, source: FixedSpec) => {
      const driver = await startDriver({ port, source })
      stops.unshift(() => driver.stop())
      return driver
    }
    const rival = async (file: string, args: string[] = []) => {
      const started = await startRival(file, args)
      stops.unshift(() => started.stop())
      return started
    }
    try {
      tell('minting tokens and checking an answer for each')
      const calls = await businessListCalls(testbed)
      const size = median(calls.exchanges.map(({ answer }) => answer.length))
      const bare = await rival('fastify-echo.ts', [String(fillerFor(size))])
      const sdk = await rival('sdk-echo.ts')
      const contenders: Contenders = {
        crier: await drive(testbed.service.port, calls),
        fastify: await drive(bare.port, await fastifyEcho(bare.port)),
        sdk: await drive(sdk.port, await sdkEcho(sdk.port, size)),
      }
      return figures(await alternate(contenders, tell), size)
    } finally {
      for (const stop of stops) await stop()
    }
  },
}

type Name = 'crier' | 'fastify' | 'sdk'
type Contenders = Record<Name, Driver>
type Round = Record<Name, Load>

async function alternate(contenders: Contenders, tell: (line: string) => void): Promise<Round[]> {
  const names = Object.keys(contenders) as Name[]
  const all: Round[] = []
  for (let i = 0; i < rounds; i++) {
    const round: Partial<Round> = {}
    // Another contender begins each round, so that none always has the warmest machine.
    for (const turn of names.keys()) {
      const name = names[(i + turn) % names.length] as Name
      await contenders[name].run(warmUp)
      round[name] = await contenders[name].run(measured)
    }
    const said = names.map((name) => `${name} ${number(round[name]?.perSecond ?? 0)}/s`)
    tell(`round ${i + 1} of ${rounds}: ${said.join(', ')}`)
    all.push(round as Round)
  }
  return all
}

function figures(all: Round[], size: number): Figure[] {
  const rate = (name: Name) => median(all.map((round) => round[name].perSecond))
  const ratio = (to: Name) =>
    median(all.map((round) => round.crier.perSecond / round[to].perSecond))
  const time = (of: 'p50' | 'p99') => median(all.map((round) => round.crier[of]))
  return [
    atLeast('share of the bare Fastify echo', ratio('fastify'), 0.4),
    atLeast("times the SDK server's echo tool", ratio('sdk'), 5),
    { name: 'calls a second', value: number(rate('crier')) },
    { name: 'bare Fastify echo a second', value: number(rate('fastify')) },
    { name: "SDK server's echo tool a second", value: number(rate('sdk')) },
    { name: 'p50, p99 of a call', value: `${number(time('p50'))} ms, ${number(time('p99'))} ms` },
    { name: 'bytes of an answer, median', value: number(size) },
    { name: 'connections, tokens', value: `${connections}, each call the next token in turn` },
  ]
}

/** How many bytes the echo must add to the call for a response of this size. */
function fillerFor(size: number): number {
  return Math.max(0, size - JSON.stringify({ echo: JSON.parse(callBody), filler: '' }).length)
}

async function fastifyEcho(port: number): Promise<FixedSpec> {
  const answer = await post(`http://127.0.0.1:${port}/`, json, callBody)
  if (!answer.includes('svc.v1.business.list')) throw new Error('the echo does not echo')
  return { kind: 'fixed', exchanges: [{ request: postBytes('/', json, callBody), answer }] }
}

async function sdkEcho(port: number, size: number): Promise<FixedSpec> {
  const text = 'x'.repeat(size - 100)
  const params = { name: 'echo', arguments: { text } }
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', id: 1, params })
  const headers = { ...json, accept: 'application/json, text/event-stream' }
  const answer = await post(`http://127.0.0.1:${port}/mcp`, headers, body)
  if (!answer.includes(text)) throw new Error('the echo tool does not echo')
  return { kind: 'fixed', exchanges: [{ request: postBytes('/mcp', headers, body), answer }] }
}
