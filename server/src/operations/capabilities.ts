import {
  type BusinessSwitches,
  readTrackingSwitches,
} from '../accounts/businesses/deploy-settings.ts'
import type { FactorDeps } from '../accounts/factors/authenticator-app.ts'
import type { CompanyParts } from '../accounts/identities/company.ts'
import type { InvitationMailer } from '../accounts/members/invitations.ts'
import type { Leaving } from '../accounts/members/leaving.ts'
import type { AnswerParts } from '../accounts/passkeys/answer.ts'
import type { PasskeyNotices } from '../accounts/passkeys/notice.ts'
import type { SettingsParts } from '../accounts/settings/settings-view.ts'
import type { BrandParts } from '../brand/brand.ts'
import type { PlanParties } from '../campaigns/preflight/dependencies.ts'
import { type Writer, writers } from '../campaigns/writer/writer.ts'
import type { PersonalData } from '../contacts/personal-data.ts'
import { formatId } from '../core/ids.ts'
import { type Operation, operation, scopes, type Tier } from '../core/operation.ts'
import { eventTypes, type TrackingSwitch, trackingSwitches } from '../events/catalog.ts'
import type { ExportFacility } from '../exports/create.ts'
import type { FormAddresses } from '../forms/form.ts'
import type { ImageFacility } from '../images/facility.ts'
import type { ImportFacility } from '../imports/import.ts'
import type { Database } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { type SmsProvider, smsProviders } from '../lib/sms/sms-url.ts'
import type { SendSmsParts } from '../messages/prepare-sms.ts'
import type { ViewDeps } from '../messages/view-mail.ts'
import type { DomainFacility } from '../sender-domains/model/facility.ts'
import type { RefusingProvidersOf, WarmUpOf } from '../sender-domains/model/warm-up.ts'
import type { Senders } from '../sender-domains/senders/senders.ts'
import type { StatusFacility } from '../status/get.ts'
import type { Templates } from '../templates/compile.ts'
import { version } from '../version.ts'
import type { SaveParts } from '../webhooks/operations/save.ts'
import { audienceFeatures, audienceView } from './audience-features.ts'
import type { FindParts } from './find.ts'

/**
 * The features of this installation beyond its catalogue. `composition/` derives them from the
 * settings.
 */
export interface Facilities {
  slug: string
  /** Public addresses of the web app and of the REST gateway, without a trailing slash. */
  appUrl: string
  gatewayUrl: string
  /** The tier of a new business. */
  defaultTier: Tier
  defaultDeployLimit: number | null
  /** Searches the guides about these operations. */
  passagesOf: (catalog: () => readonly Operation[]) => FindParts['passagesOf']
  meaningsOf: FindParts['meaningsOf']
  /** HISTORY_MONTHS: the most that a business keeps of its history; null: no limit. */
  historyMonths: number | null
  /** The host names of businesses under which their forms are. */
  ownHostOf?: NonNullable<FormAddresses['ownHostOf']>
  /** Dependencies of the operations on a business's settings. */
  settings: SettingsParts
  /** Sends the mail of invitations. */
  invitations: InvitationMailer
  /** Ends everything that depends on a membership when a person leaves a business. */
  leaving: Leaving
  passkeys: AnswerParts & { db: Database; notices: PasskeyNotices; isRequired: boolean }
  /** A person's second factor beside passkeys. */
  factors: FactorDeps
  company: CompanyParts
  /** Dependencies of the operations on a business's brand. */
  brand: BrandParts
  domains: DomainFacility
  warmUpOf: WarmUpOf
  refusingProvidersOf: RefusingProvidersOf
  /** `inbox`: mail stays on this machine. */
  email: 'smtp' | 'inbox'
  /** The SMTP server to which programs submit mail; undefined if there is none. */
  submission: { domain: string; port: number | undefined; tlsPort: number | undefined } | undefined
  sms: SmsProvider | 'inbox'
  /** Dependencies of the operations that send texts. */
  texts: Omit<SendSmsParts, 'findTemplate' | 'findTopic' | 'sms'>
  limits: Record<string, number>
  /** Dependencies of the webhook operations. */
  webhooks: SaveParts
  /** What the words of a sent message are read with. */
  viewing: ViewDeps
  /** Compiles and renders templates. */
  templates: Templates
  /** The personal data of contacts that each domain holds. */
  traces: readonly PersonalData[]
  /** Stores and reads the files of imports. */
  imports: ImportFacility
  /** Stores pictures and gives their addresses. */
  images: ImageFacility
  /** Creates the links to exports. */
  exports: ExportFacility
  /** Decides how businesses may send. */
  senders: Senders
  /** The data that the gates of campaigns check. */
  campaigns: Omit<PlanParties, 'senders' | 'templates'>
  /** Writes drafts of campaigns. */
  writer: Writer
  /** Knows the state of the installation. */
  status: StatusFacility
}

/** The most businesses of a connection of which capabilities tell the settings. */
const mostBusinesses = 20

const toolLine = Type.Object({
  name: Type.String(),
  scope: Type.String(),
  tier: Type.String(),
  role: Type.String(),
  aliases: Type.Optional(Type.Array(Type.String())),
  granted: Type.Boolean(),
})

/**
 * Capability discovery (contract 6.5): which operations can be called, and which rights
 * they need.
 */
export function capabilities(catalog: () => readonly Operation[], facilities: Facilities) {
  return operation({
    name: 'meta.capabilities',
    title: 'What this service can do',
    area: 'business',
    everyday: true,
    summary:
      'What this connection may do: its scopes, scope, role and tier of each tool, events, limits, audience, and which channels really send. Free, changes nothing.',
    reach: 'connection',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/capabilities',
    input: {},
    output: Type.Object({
      version: Type.String(),
      granted_scopes: Type.Array(Type.String()),
      scopes: Type.Array(Type.String()),
      tools: Type.Array(toolLine),
      events: Type.Array(
        Type.Object({
          type: Type.String(),
          fires_when: Type.String(),
          additive: Type.Optional(Type.Boolean()),
          scopes: Type.Array(Type.String()),
          settings: Type.Optional(Type.Array(Type.Enum(trackingSwitches))),
          off_in: Type.Optional(
            Type.Array(
              Type.Object({
                business_id: Type.String(),
                settings: Type.Array(Type.Enum(trackingSwitches)),
              }),
            ),
          ),
        }),
      ),
      channels: Type.Object({
        email: Type.Object({
          transport: Type.Enum(['smtp', 'inbox']),
          leaves_this_machine: Type.Boolean(),
          submission: Type.Optional(
            Type.Object({
              host: Type.String(),
              starttls_port: Type.Optional(Type.Integer()),
              tls_port: Type.Optional(Type.Integer()),
            }),
          ),
        }),
        sms: Type.Object({
          transport: Type.Enum([...smsProviders, 'inbox']),
          leaves_this_machine: Type.Boolean(),
        }),
        webhooks: Type.Object({ live: Type.Boolean() }),
      }),
      audience: audienceView,
      writer: Type.Enum(writers),
      links: Type.Object({
        rest: Type.String(),
        openapi: Type.String(),
        documentation: Type.String(),
        llms_txt: Type.String(),
      }),
      limits: Type.Record(Type.String(), Type.Number()),
      not_offered: Type.Array(Type.String()),
      deprecations: Type.Array(Type.Object({ name: Type.String(), until: Type.String() })),
    }),

    async run({ db, principal }) {
      const shownBusinesses = principal.businesses.slice(0, mostBusinesses)
      const switches = await readTrackingSwitches(
        db,
        shownBusinesses.map(({ id }) => id),
      )
      return {
        version,
        granted_scopes: scopes.filter((scope) => principal.scopes.has(scope)),
        scopes: [...scopes],
        tools: catalog()
          .filter(({ unlisted }) => !unlisted)
          .map((tool) => ({
            // The contract's names, whatever the spelling in the client's list of tools.
            name: `${facilities.slug}.v1.${tool.name}`,
            scope: tool.scope,
            tier: tool.tier,
            role: tool.role,
            ...(tool.aliases && { aliases: [...tool.aliases] }),
            granted: principal.scopes.has(tool.scope),
          })),
        events: eventTypes.map((event) => ({
          type: event.type,
          fires_when: event.fires,
          ...(event.isAdditive && { additive: true }),
          scopes: [...event.scopes],
          ...(event.settings && settingsOf(event.settings, switches)),
        })),
        channels: {
          email: {
            transport: facilities.email,
            leaves_this_machine: facilities.email === 'smtp',
            ...submissionOf(facilities),
          },
          sms: {
            transport: facilities.sms,
            leaves_this_machine: facilities.sms !== 'inbox',
          },
          webhooks: { live: true },
        },
        audience: audienceFeatures,
        writer: facilities.writer.hand,
        links: {
          rest: `${facilities.gatewayUrl}/v1`,
          openapi: `${facilities.gatewayUrl}/openapi.json`,
          documentation: `${facilities.appUrl}/docs`,
          llms_txt: `${facilities.appUrl}/llms.txt`,
        },
        limits: facilities.limits,
        not_offered: notOffered,
        deprecations: [],
      }
    },
  })
}

/** What owners ask assistants for. A model that reads it says so, in place of trying. */
const notOffered = [
  'Posts to social media: only email and SMS.',
  'WhatsApp, push and voice messages: only email and SMS.',
  'Bought or scraped addresses: people agree themselves, by a form or on record.',
  'Approving a campaign, adding members, limits, keys: a person does that in the app.',
  'Repeating or delayed mails by a campaign: sequence.save is for “every”, “when” and “after”.',
  'Reading mailboxes: replies by email go to reply_to; reply.list has texts alone.',
  'A guaranteed inbox: domain.status, report.campaign and contact.check say what can be mended.',
]

function submissionOf({ submission }: Facilities) {
  if (!submission) return {}
  const { domain, port, tlsPort } = submission
  const ports = { ...(port && { starttls_port: port }), ...(tlsPort && { tls_port: tlsPort }) }
  return { submission: { host: domain, ...ports } }
}

/** The settings that an event needs, and the businesses in which one of them is off. */
function settingsOf(
  settings: readonly TrackingSwitch[],
  businesses: readonly BusinessSwitches[],
): { settings: TrackingSwitch[]; off_in?: { business_id: string; settings: TrackingSwitch[] }[] } {
  const offIn = businesses.flatMap(({ id, ...switches }) => {
    const off = settings.filter((name) => !switches[name])
    return off.length === 0 ? [] : [{ business_id: formatId('business', id), settings: off }]
  })
  return { settings: [...settings], ...(offIn.length > 0 && { off_in: offIn }) }
}
