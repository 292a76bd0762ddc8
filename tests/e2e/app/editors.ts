/** The editors of the app, as two people and a test handle them. */
import type { Id } from 'crier-server/core/ids.ts'
import type { Page } from 'playwright-core'
import type { RestCaller } from '../../support/clients/rest-caller.ts'
import type { AppBench } from './app.ts'
import { textIn } from './settled.ts'

export interface Scene {
  businesses: Id<'business'>[]
  /** Another person of the business, in the app. */
  ben: RestCaller
  path: string
  /** What the service has stored in the field that is edited. */
  stored(): Promise<string>
  version(): Promise<number>
  /** Another person's save of the same field. */
  savedByBen(text: string): Promise<void>
}

export interface Editor {
  name: string
  /** The route of its save, for a connection that fails. */
  route: string
  open(): Promise<Scene>
  type(page: Page, text: string): Promise<void>
  shown(page: Page): Promise<string>
  save(page: Page): Promise<void>
}

async function people({ testbed }: AppBench) {
  const businesses = [await testbed.newBusiness()]
  const ben = await testbed.appCaller({ businesses, role: 'editor' })
  return { businesses, ben }
}

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).press('Enter')
const tagged = (tag: string) => ({ tag })

interface Draft {
  version: number
  audience: { filter?: { tag: string } }
  variants: { content: { subject: string } }[]
}

async function draftScene(bench: AppBench, step: string) {
  const { businesses, ben } = await people(bench)
  const { campaign_id } = await ben.get<{ campaign_id: string }>('campaign.generate', {
    name: 'News',
    channel: 'email',
    content: { subject: 'Hello', html: '<p>Hello</p>' },
  })
  await ben.get('campaign.save', { campaign_id, audience: { filter: tagged('first') } })
  const read = () => ben.get<Draft>('campaign.get', { campaign_id, content: true })
  const version = async () => (await read()).version
  return {
    businesses,
    ben,
    campaign_id,
    read,
    version,
    path: `/campaigns/${campaign_id}?step=${step}`,
  }
}

/** The bench is asked for when a test opens an editor. */
export const editorsOf = (bench: () => AppBench): Editor[] => [
  {
    name: 'the content of a campaign',
    route: '**/v1/campaigns/cmp_*',
    async open() {
      const { read, campaign_id, ben, ...scene } = await draftScene(bench(), 'what')
      return {
        ...scene,
        ben,
        stored: async () => (await read()).variants[0]?.content.subject ?? '',
        async savedByBen(subject) {
          await ben.get('campaign.save', { campaign_id, content: { subject } })
        },
      }
    },
    type: (page, text) => page.getByLabel('Subject').fill(text),
    shown: (page) => textIn(page.getByLabel('Subject')),
    save: (page) => press(page, 'Save'),
  },
  {
    name: 'the audience of a campaign',
    route: '**/v1/campaigns/cmp_*',
    async open() {
      const { read, campaign_id, ben, ...scene } = await draftScene(bench(), 'who')
      return {
        ...scene,
        ben,
        stored: async () => (await read()).audience.filter?.tag ?? '',
        async savedByBen(tag) {
          await ben.get('campaign.save', { campaign_id, audience: { filter: tagged(tag) } })
        },
      }
    },
    type: (page, text) => page.getByLabel('Value').fill(text),
    shown: (page) => page.getByLabel('Value').inputValue(),
    save: (page) => press(page, 'Save and continue'),
  },
  {
    name: 'a form',
    route: '**/v1/forms/frm_*',
    async open() {
      const { businesses, ben } = await people(bench())
      const fields = [{ key: 'email', label: 'Email', type: 'email', required: true }]
      const { form_id } = await ben.get<{ form_id: string }>('form.save', {
        name: 'Join us',
        fields,
        page: { title: 'first' },
      })
      type Form = { version: number; page: { title: string } }
      const read = () => ben.get<Form>('form.get', { form_id })
      return {
        businesses,
        ben,
        path: `/forms/${form_id}`,
        stored: async () => (await read()).page.title,
        version: async () => (await read()).version,
        async savedByBen(title) {
          await ben.get('form.save', { form_id, page: { title } })
        },
      }
    },
    type: (page, text) => page.getByLabel('Title').fill(text),
    shown: (page) => page.getByLabel('Title').inputValue(),
    save: (page) => press(page, 'Save'),
  },
  {
    name: 'a segment',
    route: '**/v1/segments/seg_*',
    async open() {
      const { businesses, ben } = await people(bench())
      const { segment_id } = await ben.get<{ segment_id: string }>('segment.save', {
        name: 'Regulars',
        filter: tagged('first'),
      })
      type Segment = { version: number; filter: { tag: string } }
      const read = () => ben.get<Segment>('segment.get', { segment_id })
      return {
        businesses,
        ben,
        path: `/segments?open=${segment_id}`,
        stored: async () => (await read()).filter.tag,
        version: async () => (await read()).version,
        async savedByBen(tag) {
          await ben.get('segment.save', { segment_id, filter: tagged(tag) })
        },
      }
    },
    type: (page, text) => page.getByRole('dialog').getByLabel('Value').fill(text),
    shown: (page) => page.getByRole('dialog').getByLabel('Value').inputValue(),
    save: (page) => press(page, 'Save filter'),
  },
]
