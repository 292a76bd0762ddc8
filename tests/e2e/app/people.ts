/** A business with realistic people, and some with hostile data. */
import type { Id } from 'crier-server/core/ids.ts'
import type { OwnTestbed } from '../../operations/support/testbed.ts'
import { yes } from '../../support/businesses/campaigns.ts'

const names = [
  'Ana Moreau',
  'Ben Okafor',
  'Chloé Dubois',
  'Dmitri Volkov',
  'Elif Yılmaz',
  'Farah Haddad',
  'Greta Lindqvist',
  'Hiro Tanaka',
]
const tags = [['vip', 'spring'], ['member'], [], ['newsletter', 'berlin', 'vip']]

/** Would run a script, or lead to another site, on a page that did not escape it. */
export const hostileName =
  '<img src=x onerror="document.title=`owned`"><script>document.title="owned"</script>\u202e'

export async function somePeople(testbed: OwnTestbed, businessId: Id<'business'>, count: number) {
  const owner = await testbed.caller({ businesses: [businessId] })
  const contacts = Array.from({ length: count }, (_, place) => {
    const name = names[place % names.length] ?? ''
    const local = name
      .normalize('NFD')
      .replaceAll(/[^a-z ]/gi, '')
      .toLowerCase()
      .replace(' ', '.')
    const status = place % 9 === 4 ? 'unsubscribed' : 'subscribed'
    return {
      email: `${local}.${place + 1}@example.com`,
      name,
      tags: tags[place % tags.length],
      ...(place % 7 !== 3 && { consent: { email: { ...yes, status } } }),
      attributes: { plan: place % 2 ? 'pro' : 'free', visits: place },
    }
  })
  await owner.get('contact.import', { contacts })
  return owner
}
