/**
 * The mails of a public archive, rendered for nobody: without a contact, so that what a template says
 * of its recipient is what it says without data, and without links of a recipient. Each is rendered
 * once for all its readers, in the thread of checks, whose time is limited for each business and that
 * mail never waits for.
 */

import type { Archive } from '../../accounts/businesses/business.ts'
import { archiveLimits } from '../../config/archive.ts'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { excerpt } from '../../lib/text/excerpt.ts'
import { canonicalLanguageTag, lookUpLanguage } from '../../lib/text/language-tag.ts'
import { singleLine } from '../../lib/text/single-line.ts'
import type { Compiled, Rendered, Templates } from '../../templates/compile.ts'
import { templateVariables } from '../../templates/variables.ts'
import { createCompiledReader } from '../../templates/version.ts'

interface ArchiveMailsDeps {
  db: Db
  templates: Pick<Templates, 'preview'>
}

export interface ArchiveReader {
  businessId: Id<'business'>
  archive: Archive
  /** The address of the archive. */
  url: string
  /** BCP 47 tags, the most wanted first. */
  languages: readonly string[]
}

export interface ArchivedTitle {
  subject: string
  /** The beginning of its text. */
  excerpt: string
}

interface ArchivedCampaign {
  id: Id<'campaign'>
  sentAt: Date
  completedAt: Date
  /** The content of the variant that won its A/B test, else of the first; null once it is deleted. */
  versionId: Id<'templateVersion'> | null
}

export interface ArchiveMails {
  /** Undefined if the content is no longer stored. */
  mailOf(reader: ArchiveReader, campaign: ArchivedCampaign): Promise<Rendered | Refusal | undefined>
  titleOf(
    reader: ArchiveReader,
    campaign: ArchivedCampaign,
  ): Promise<ArchivedTitle | Refusal | undefined>
}

export function createArchiveMails({ db, templates }: ArchiveMailsDeps): ArchiveMails {
  const compiledOf = createCompiledReader()
  /** The refusal of a template that cannot be rendered is kept as well, as it costs most. */
  const titles = new Map<string, ArchivedTitle | Refusal>()
  const mails = createMailCache()
  const running = new Map<string, Promise<Rendered | Refusal>>()

  const render = (key: string, compiled: Compiled, reader: ArchiveReader, url: string) => {
    const title = titles.get(key)
    const cached = mails.get(key) ?? (isRefusal(title) ? title : running.get(key))
    if (cached) return cached
    const { businessId, archive } = reader
    const personal = `${reader.url}/personal-link`
    const around = {
      business: archive,
      unsubscribeUrl: personal,
      preferencesUrl: personal,
      viewUrl: url,
    }
    const variables = templateVariables(around)
    const rendered = templates.preview({ businessId, compiled }, variables)
    running.set(key, rendered)
    const done = rendered.then((mail) => {
      if (isRefusal(mail) && mail.code !== 'invalid_request') return
      if (!isRefusal(mail)) mails.set(key, mail)
      setNewest(titles, [key, isRefusal(mail) ? mail : titleIn(mail)], archiveLimits.keptTitles)
    })
    done.catch(() => {}).finally(() => running.delete(key))
    return rendered
  }

  const findMail = async (reader: ArchiveReader, { id, versionId }: ArchivedCampaign) => {
    if (versionId === null) return undefined
    const { businessId, archive, url } = reader
    const compiled = await compiledOf(db, businessId, versionId)
    if (!compiled) return undefined
    const tag = tagOf(compiled, reader)
    const inLanguage = (tag !== undefined && compiled.translations?.[tag]) || compiled
    const page = `${url}/${formatId('campaign', id)}`
    // The name and the address of the business, and that of the page, may be in the mail.
    const key = `${page} ${versionId} ${tag ?? ''} ${archive.settingsVersion}`
    return { key, compiled: inLanguage, page }
  }

  return {
    async mailOf(reader, campaign) {
      const mail = await findMail(reader, campaign)
      return mail && (await render(mail.key, mail.compiled, reader, mail.page))
    },
    async titleOf(reader, campaign) {
      const mail = await findMail(reader, campaign)
      if (!mail) return undefined
      const cached = titles.get(mail.key)
      if (cached) return cached
      const rendered = await render(mail.key, mail.compiled, reader, mail.page)
      return isRefusal(rendered) ? rendered : titleIn(rendered)
    },
  }
}

function titleIn({ subject, text }: Rendered): ArchivedTitle {
  return {
    subject: singleLine(subject),
    excerpt: excerpt(singleLine(text), archiveLimits.excerptLength),
  }
}

/** The translation for a reader; undefined for the first language, which is the business's. */
function tagOf(
  { translations }: Compiled,
  { languages, archive }: ArchiveReader,
): string | undefined {
  if (!translations) return undefined
  for (const language of languages) {
    const spelled = canonicalLanguageTag(language)
    const tag = lookUpLanguage(translations, spelled)
    if (tag !== undefined) return tag
    if (spelled !== undefined && primaryOf(spelled) === primaryOf(archive.language)) break
  }
  return undefined
}

const primaryOf = (tag: string) => tag.split('-', 1)[0]?.toLowerCase()

/** The newest mails, as far as their bytes have room. */
function createMailCache() {
  const cache = new Map<string, Rendered>()
  let bytes = 0
  const sizeOf = ({ subject, html = '', text }: Rendered) =>
    2 * (subject.length + html.length + text.length)
  return {
    get(key: string) {
      const mail = cache.get(key)
      if (mail) setNewest(cache, [key, mail], Infinity)
      return mail
    },
    set(key: string, mail: Rendered) {
      if (cache.has(key) || sizeOf(mail) > archiveLimits.keptBytes) return
      cache.set(key, mail)
      bytes += sizeOf(mail)
      for (const [oldest, its] of cache) {
        if (bytes <= archiveLimits.keptBytes) break
        cache.delete(oldest)
        bytes -= sizeOf(its)
      }
    },
  }
}

export interface ArchivePlace {
  sentAt: Date
  id: Id<'campaign'>
}

/**
 * Lists those that were sent to everybody, newest first. One that is under way may still be stopped,
 * and its recipients read it first. The page is chosen before the content is looked for, so that it
 * costs the same in a long archive.
 */
export function listArchived(
  db: Db,
  businessId: Id<'business'>,
  { before, limit }: { before: ArchivePlace; limit: number },
): Promise<ArchivedCampaign[]> {
  return db.all(sql`
    select c.id, c.deployed_at as "sentAt", c.completed_at as "completedAt", tv.id as "versionId"
    from (
      select business_id, id, deployed_at, completed_at from campaigns
      where business_id = ${businessId} and in_archive and state = 'completed'
        and (deployed_at, id) < (${before.sentAt}::timestamptz, ${before.id}::uuid)
      order by deployed_at desc, id desc limit ${limit}
    ) c
    left join campaign_tests t on t.business_id = c.business_id and t.campaign_id = c.id
    left join campaign_variants v on v.business_id = c.business_id and v.campaign_id = c.id
      and v.position = coalesce(t.winner, 0)
    left join template_versions tv
      on tv.business_id = v.business_id and tv.id = v.template_version_id
    order by c.deployed_at desc, c.id desc
  `)
}

export function findArchived(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'campaign'>,
): Promise<ArchivedCampaign | undefined> {
  return db.maybe(sql`
    select c.id, c.deployed_at as "sentAt", c.completed_at as "completedAt", tv.id as "versionId"
    from campaigns c
    left join campaign_tests t on t.business_id = c.business_id and t.campaign_id = c.id
    left join campaign_variants v on v.business_id = c.business_id and v.campaign_id = c.id
      and v.position = coalesce(t.winner, 0)
    left join template_versions tv
      on tv.business_id = v.business_id and tv.id = v.template_version_id
    where c.business_id = ${businessId} and c.id = ${id}
      and c.in_archive and c.state = 'completed'
  `)
}
