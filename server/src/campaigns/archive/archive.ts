/** What the public archive of a business shows: pages of its list, and one campaign. */
import { archiveOf } from '../../accounts/businesses/archive.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import type { Db } from '../../lib/db/types.ts'
import type { ArchivedTitle, ArchiveMails, ArchiveReader } from './mails.ts'
import { type ArchivePlace, findArchived, listArchived } from './mails.ts'

export interface ListedCampaign extends ArchivedTitle {
  id: Id<'campaign'>
  sentAt: Date
  completedAt: Date
}

export interface ArchivePage {
  campaigns: ListedCampaign[]
  /** Where the next page begins, for its address; absent on the last. */
  older?: string
}

/** Undefined if there is no such archive, or if the business keeps it off. */
export async function findArchiveNamed(db: Db, name: string) {
  const businessId = parseId('business', name)
  const archive = businessId && (await archiveOf(db, businessId))
  return archive && businessId ? { businessId, archive } : undefined
}

export interface ArchiveParts {
  db: Db
  mails: ArchiveMails
}

/** Campaigns whose content cannot be rendered are left out. */
export async function archivePage(
  { db, mails }: ArchiveParts,
  reader: ArchiveReader,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ArchivePage> {
  const position = before === undefined ? newest : readPlace(before)
  if (!position) throw notArchived()
  const rows = await listArchived(db, reader.businessId, { before: position, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const titles = await Promise.all(page.map((row) => mails.titleOf(reader, row)))
  const refused = titles.filter((title) => isRefusal(title)).find(isBusy)
  if (refused) throw refused
  const campaigns = page.flatMap((row, n): ListedCampaign[] => {
    const title = titles[n]
    return title === undefined || isRefusal(title) ? [] : [{ ...row, ...title }]
  })
  const last = page.at(-1)
  return { campaigns, ...(rows.length > limit && last && { older: spellPlace(last) }) }
}

export async function archivedMail(
  { db, mails }: ArchiveParts,
  reader: ArchiveReader,
  name: string,
) {
  const id = parseId('campaign', name)
  const campaign = id && (await findArchived(db, reader.businessId, id))
  const mail = campaign && (await mails.mailOf(reader, campaign))
  if (isRefusal(mail)) throw isBusy(mail) ? mail : notArchived()
  if (!mail) throw notArchived()
  return mail
}

/** Whether the render thread was only busy: the reader can try again, unlike with a faulty template. */
const isBusy = ({ code }: Refusal): boolean => code === 'rate_limited' || code === 'unavailable'

function notArchived(): Refusal {
  return refuse('not_found', 'There is no email at this address of the archive.')
}

/** After every time that a campaign can have. */
const newest: ArchivePlace = {
  sentAt: new Date('9999-01-01T00:00:00Z'),
  id: highestId as ArchivePlace['id'],
}

/** The moment and the id, such as `1764147527123.cmp_…`. */
function spellPlace({ sentAt, id }: ArchivePlace): string {
  return `${sentAt.getTime()}.${formatId('campaign', id)}`
}

function readPlace(text: string): ArchivePlace | undefined {
  const [moment = '', name = '', ...others] = text.slice(0, 100).split('.')
  const id = parseId('campaign', name)
  const ms = Number(moment)
  const isMoment = Number.isSafeInteger(ms) && ms >= 0 && ms < newest.sentAt.getTime()
  return id && isMoment && others.length === 0 ? { sentAt: new Date(ms), id } : undefined
}
