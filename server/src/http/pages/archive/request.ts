/** A request for a page of a public archive: whose it is, and in which language. */
import type { FastifyRequest } from 'fastify'
import { archiveUrl } from '../../../accounts/businesses/archive.ts'
import { findArchiveNamed } from '../../../campaigns/archive/archive.ts'
import type { ArchiveMails, ArchiveReader } from '../../../campaigns/archive/mails.ts'
import type { Id } from '../../../core/ids.ts'
import {
  acceptedLanguages,
  chooseLanguage,
  type RecipientLanguage,
} from '../../../core/recipient-words/languages.ts'
import { type FormAddresses, formsBase, urlOf } from '../../../forms/form.ts'
import { findHostedForm } from '../../../forms/hosted-form.ts'
import type { Db } from '../../../lib/db/types.ts'
import type { LocalLimit } from '../../../lib/rate-limit/local-limit.ts'
import type { Templates } from '../../../templates/compile.ts'

export interface ArchivePagesDeps {
  db: Db
  templates: Pick<Templates, 'preview'>
  /** The service's own address, under which pictures are. */
  baseUrl: string
  addresses: FormAddresses & {
    /** Whether the host name belongs to another business, whose visitors see nothing of this one. */
    isForeign?(host: string, businessId: Id<'business'>): Promise<boolean>
  }
  /** Limits the visits from one network. */
  visitLimit: LocalLimit
}

export interface ArchiveRequest {
  Params: { business: string; campaign: string }
  Querystring: Record<string, unknown>
}

export interface ArchivePagesParts extends ArchivePagesDeps {
  mails: ArchiveMails
}

export interface Shown extends ArchiveReader {
  /** The language of the page's own words. */
  language: RecipientLanguage
  /** The language that the address asks for, for the links of the page. */
  lang: string | undefined
  /** The page of the form by which readers subscribe. */
  subscribeUrl: string | undefined
}

/** The archive at the address of a request; undefined if there is none, or not under this host name. */
export async function findShown(
  { db, addresses }: ArchivePagesParts,
  { params, query, headers, hostname }: FastifyRequest<ArchiveRequest>,
  { byBrowser = true } = {},
): Promise<Shown | undefined> {
  const found = await findArchiveNamed(db, params.business)
  if (!found || (await addresses.isForeign?.(hostname, found.businessId))) return undefined
  const lang = typeof query['lang'] === 'string' ? query['lang'].slice(0, longestTag) : undefined
  const accepted = byBrowser ? acceptedLanguages(headers['accept-language']) : []
  const languages = lang === undefined ? accepted : [lang]
  const { businessId, archive } = found
  const [base, form] = await Promise.all([
    formsBase(addresses, businessId),
    archive.formId === null ? undefined : findHostedForm(db, archive.formId),
  ])
  const isOpen = form?.status === 'published' && form.businessId === businessId
  return {
    ...found,
    url: archiveUrl(base, businessId),
    subscribeUrl: isOpen ? urlOf(form.id, base) : undefined,
    languages,
    language: chooseLanguage(...languages, found.archive.language),
    lang,
  }
}

const longestTag = 64
