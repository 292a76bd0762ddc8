/**
 * An assistant that reads the list of tools and their answers alone makes a welcome series: "every new
 * subscriber should get a welcome mail, and three days later a second one".
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { campaignScene } from '../support/businesses/campaigns.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Found {
  name: string
  summary: string
  input_schema: { properties: Record<string, unknown> }
}

type Answer = Record<string, unknown>

test('a welcome series waits for approval after five calls', async () => {
  const { owner } = await campaignScene(testbed)
  const calls: string[] = []
  const call = <T = Answer>(name: string, input: object): Promise<T> => {
    calls.push(name)
    return owner.get<T>(name.replace(/^svc\.v1\./, ''), input)
  }
  const { found } = await call<{ found: Found[] }>('meta.find', {
    query: 'automation: a welcome series for new subscribers',
  })
  const toolThat = (...words: RegExp[]) => {
    const tool = found.find(({ summary }) => words.every((word) => word.test(summary)))
    assert.ok(tool, `${words.join(' ')} in ${found.map(({ name }) => name).join(', ')}`)
    return tool
  }
  const gallery = toolThat(/made automations/i)
  const save = toolThat(/save a sequence/i)
  const { sequences } = await call<{ sequences: Answer[] }>(gallery.name, {})
  const fits = ({ about, mails }: Answer) =>
    /subscribe/.test(String(about)) &&
    /three days/.test(String(about)) &&
    (mails as object[]).length === 2
  const chosen = sequences.find(fits)
  assert.ok(chosen)
  // What the gallery shows and the save takes under the same name, and the facts that it lacks.
  const takes = Object.keys(save.input_schema.properties)
  const shown = Object.entries(chosen).filter(([key]) => takes.includes(key) && key !== 'slots')
  const facts = { url: 'https://mill-lane.example/favourites' }
  const slots = (chosen['slots'] as { name: string; kind: string; required: boolean }[])
    .filter(({ required }) => required)
    .map(({ name, kind }) => [name, facts[kind as keyof typeof facts]])
  const saved = await call(save.name, {
    ...Object.fromEntries(shown),
    slots: Object.fromEntries(slots) as object,
  })
  // The tool that saves names the two that follow.
  const [planning = '', starting = ''] = [...save.summary.matchAll(/sequence\.(?!save)\w+/g)].map(
    ([name]) => name,
  )
  const { sequence_id } = saved
  const plan = await call(planning, { sequence_id })
  assert.ok((plan['gates'] as { result: string }[]).every(({ result }) => result !== 'block'))
  const started = await call(starting, { sequence_id })
  assert.equal(started['status'], 'awaiting_approval')
  assert.ok(calls.length <= 5, calls.join(', '))
})
