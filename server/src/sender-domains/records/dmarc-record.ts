/**
 * The policy for mail that claims to come from the domain (RFC 7489). It is requested only if
 * neither the domain nor its registered parent has one.
 */
import {
  type DomainRecord,
  failed,
  type Look,
  missing,
  type RecordFinding,
  right,
  shown,
  shownAliases,
  wrong,
} from '../model/record.ts'
import { readTags, writingFault } from './txt.ts'

const leastPolicy = 'v=DMARC1; p=none'

export function dmarcRecord(domain: string, registrable: string): DomainRecord {
  const name = `_dmarc.${domain}`
  const record = { id: 'dmarc', type: 'TXT' as const, name, value: leastPolicy }
  const find = async (look: Look, at: string): Promise<RecordFinding> => {
    const own = await findPolicy(look, at, record)
    if (own.status !== 'missing' || at !== name) return own
    const inherited = await Promise.all(
      parentsOf(domain, registrable).map((parent) => findPolicy(look, `_dmarc.${parent}`, record)),
    )
    // The nearest policy decides (RFC 7489, 6.6.3, and the tree walk of its successor).
    return inherited.find(({ status }) => status !== 'missing') ?? own
  }
  return { ...record, neededFor: 'marketing', find }
}

type Named = Pick<DomainRecord, 'type' | 'name' | 'value'>

async function findPolicy(look: Look, at: string, record: Named): Promise<RecordFinding> {
  const lookup = await look(at, 'TXT')
  if (lookup.outcome === 'failed') return failed(lookup)
  if (lookup.outcome === 'absent') return missing(record, lookup.retryIn)
  const texts = lookup.records.map(({ text }) => text)
  const policies = texts.filter((text) => /^[\s"'“]*v=dmarc1/i.test(text))
  const found = [...shownAliases(lookup.aliases), ...shown(texts)]
  const [policy, ...more] = policies
  if (policy === undefined) return { ...missing(record, 0), found }
  if (more.length > 0) {
    return wrong(
      found,
      `${policies.length} DMARC records stand at ${at}, so that none counts. Delete all but one.`,
    )
  }
  const fault = policyFault(policy)
  return fault
    ? wrong(found, `${fault} The least that ${at} may say: ${leastPolicy}`)
    : right(found)
}

function policyFault(text: string): string | undefined {
  const writing = writingFault(text)
  if (writing) return writing
  const tags = readTags(text)
  if (tags?.get('v') !== 'DMARC1' || tags.keys().next().value !== 'v') {
    return 'The value must begin with v=DMARC1; and be a list of tags.'
  }
  const policy = tags.get('p')?.toLowerCase()
  return ['none', 'quarantine', 'reject'].includes(policy ?? '')
    ? undefined
    : 'Its tag p= must be none, quarantine or reject.'
}

/** `b.c` and `c` for `a.b.c`, down to the registered domain. */
function parentsOf(domain: string, registrable: string): string[] {
  const parents: string[] = []
  for (let name = domain; name !== registrable && name.includes('.'); ) {
    name = name.slice(name.indexOf('.') + 1)
    parents.push(name)
  }
  return parents
}
