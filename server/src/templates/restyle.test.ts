/** Templates take on a changed brand, as versions that mail is made of. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import { campaignScene, openCampaignTestbed } from '../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { parseId } from '../core/ids.ts'
import { findTemplateVersion } from './version.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ idle: false })
})
after(() => testbed.close())

test('templates of blocks get the brand in a version of their own, the others stay', async () => {
  const { businessId, owner } = await campaignScene(testbed)
  const save = async (input: object) =>
    (await owner.get<{ template_id: string }>('template.save', { name: 'Hi', ...input }))
      .template_id
  const blocks = [{ type: 'button', text: 'Go', url: 'https://shop.example' }]
  const ids = [
    await save({ subject: 'Hi', blocks }),
    await save({ subject: 'Hi', text: 'Hi', translations: { de: { subject: 'Hallo', blocks } } }),
    await save({ subject: 'Hi', html: '<p>Hi</p>' }),
  ]
  const found = async (text = '') => {
    const id = parseId('template', text)
    return (id && (await findTemplateVersion(testbed.db, businessId, id))) ?? assert.fail()
  }
  const mails = async () =>
    Promise.all(ids.map(async (id) => JSON.stringify((await found(id)).compiled)))
  const before = await mails()
  const versions = await Promise.all(ids.map((id) => found(id)))
  const set = (value: string) =>
    owner.get<{ templates: number }>('brand.set', { colours: [{ name: 'accent', value }] })
  assert.equal((await set('#7a1f3d')).templates, 2)
  const have = async (colour: string) => {
    const [first = '', second = ''] = await mails()
    return first.includes(colour) && second.includes(colour)
  }
  await eventually(() => have('#7a1f3d'), Boolean)
  const now = await Promise.all(ids.map((id) => found(id)))
  assert.deepEqual(
    now.map(({ versionId }, n) => versionId === versions[n]?.versionId),
    [false, false, true],
  )
  assert.deepEqual(
    now.map(({ source }) => source),
    versions.map(({ source }) => source),
  )
  assert.equal((await mails())[2], before[2])
  await set('#7a1f3d')
  await set('#0f766e')
  await eventually(() => have('#0f766e'), Boolean)
  const { versions: list } = await owner.get<{ versions: { version: number }[] }>(
    'template.versions',
    { template_id: ids[0] },
  )
  assert.equal(list[0]?.version, 3, 'a brand that stays makes no version')
  await owner.get('business.save', { colour: '#b45309', time_zone: 'Europe/Paris' })
  await eventually(() => have('#b45309'), Boolean)
  await owner.get('business.save', { language: 'de' })
  await eventually(mails, ([first = '']) => first.includes('lang=\\"de\\"'))
})
