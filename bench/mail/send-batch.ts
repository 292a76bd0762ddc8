/** Mail submitted by `email.send_batch`, compared with the same mail by single calls. */
import { atLeast, type Bench, median, number } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'
import { type BenchTestbed, openTestbed } from '../support/testbed.ts'
import { answerOf, callBody, sendCall } from '../writes/support/call-tool.ts'
import { alternate } from '../writes/support/rounds.ts'
import { settleWriters } from '../writes/support/writers.ts'

const { rounds, batches: batchesPerRound, mails: mailsPerBatch, alone } = sizes.sendBatch
const callersAtOnce = 16

export const sendBatch: Bench = {
  name: 'send-batch',
  title: '`email.send_batch`, mails handed in a second',
  method: `Batches of ${mailsPerBatch} short mails, one call after the other by one client, over HTTP, each mail queued with its event and its usage; the worker is off. Beside it as many mails by \`email.send\`, ${callersAtOnce} calls at once over tokens with room for them, and one call after the other. ${rounds} alternating rounds of ${batchesPerRound} batches; the ratio is taken within each round, and the median is shown.`,

  async run(tell) {
    const testbed = await openTestbed({}, 'api')
    try {
      // A token may make 600 calls in any minute.
      const connections = Math.ceil((3 * rounds * batchesPerRound * mailsPerBatch) / 400)
      const { tokens } = await settleWriters(testbed, { businesses: 1, connections })
      const caller = callerOf(testbed, tokens)
      const all = await alternate(
        {
          batch: (n) => caller.batches(n),
          atOnce: (n) => caller.singles(n * mailsPerBatch, callersAtOnce),
          alone: (n) => caller.singles(n * alone, 1),
        },
        { rounds, seconds: batchesPerRound, tell },
      )
      const rate = (name: 'batch' | 'atOnce' | 'alone') => median(all.map((round) => round[name]))
      return [
        atLeast('mails a second in batches, one call at a time', rate('batch'), 167),
        {
          name: `times single calls, ${callersAtOnce} at once`,
          value: number(median(all.map((round) => round.batch / round.atOnce))),
        },
        {
          name: 'times single calls, one at a time',
          value: number(median(all.map((round) => round.batch / round.alone))),
        },
        { name: `mails a second, ${callersAtOnce} calls at once`, value: number(rate('atOnce')) },
        { name: 'mails a second, one call at a time', value: number(rate('alone')) },
      ]
    } finally {
      await testbed.close()
    }
  },
}

function callerOf(testbed: BenchTestbed, tokens: readonly string[]) {
  let drawn = 0
  let calls = 0
  const mail = () => {
    drawn += 1
    return { to: `reader-${drawn}@example.com`, subject: 'Hello', text: `For reader ${drawn}` }
  }
  const post = async (tool: string, input: object): Promise<void> => {
    const token = tokens[Math.floor(calls++ / 400) % tokens.length] as string
    answerOf(await sendCall(testbed, token, callBody(tool, input)))
  }
  const timed = async (mails: number, work: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await work()
    return (mails * 1000) / (performance.now() - began)
  }
  return {
    batches: (n: number) =>
      timed(n * mailsPerBatch, async () => {
        for (let i = 0; i < n; i++) {
          const messages = Array.from({ length: mailsPerBatch }, mail)
          await post('email.send_batch', { messages })
        }
      }),
    singles(n: number, atOnce: number) {
      let left = n
      const work = async (): Promise<void> => {
        while (left-- > 0) await post('email.send', mail())
      }
      return timed(n, () => Promise.all(Array.from({ length: atOnce }, work)))
    },
  }
}
