/** Builds the operations, each with its dependencies. */

import { formsBase } from '../forms/view.ts'
import { keysOfLeavers } from '../oauth/api-keys/maker-left.ts'
import type { Facilities } from '../operations/capabilities.ts'
import { appCatalogOf, catalogOf } from '../operations/catalog.ts'
import { publicLimits, settingsDependencies } from '../operations/facility-dependencies.ts'
import type { StatusFacility } from '../status/get.ts'
import { invitationMailer } from '../worker.ts'
import type { AppParts } from './app-parts.ts'
import type { Services } from './services.ts'

/**
 * `catalog` holds the operations for everybody; `everything` adds those that only the app may
 * call.
 */
export function createCatalog(parts: AppParts, services: Services, status: StatusFacility) {
  const { config, db, clock, vault } = parts
  const { domains, texting, words, senderProfileOf, worker } = services
  const facilities = {
    slug: config.slug,
    appUrl: config.appUrl,
    ownHostOf: services.ownHosts.ownHostOf,
    gatewayUrl: config.gatewayUrl,
    defaultTier: config.defaultTier,
    defaultDeployLimit: config.defaultDeployLimit,
    leaving: keysOfLeavers(worker.wake),
    invitations: invitationMailer({ clock, wake: worker.wake }),
    settings: settingsDependencies(db, config, domains.settings, senderProfileOf, (id) =>
      formsBase({ ...config, ...services.ownHosts }, id),
    ),
    domains,
    warmUpOf: services.planning.warmUpOf,
    refusingProvidersOf: services.refusingProvidersOf,
    email: config.smtpUrl ? 'smtp' : 'inbox',
    submission: config.submission,
    sms: texting.provider,
    texts: {
      ...words,
      fillOwn: words.templates.fillOwn,
      checkValues: words.templates.checkValues,
      textSenders: texting.senders,
    },
    templates: services.templates,
    senders: services.senders,
    campaigns: services.planning,
    writer: services.writing.writer,
    traces: services.personalData,
    exports: { vault, gatewayUrl: config.gatewayUrl },
    images: { files: services.files, outbound: services.outbound, baseUrl: config.baseUrl },
    imports: { db, clock, vault, files: services.files, gatewayUrl: config.gatewayUrl },
    limits: publicLimits,
    webhooks: { vault, guard: services.guard, rights: services.rights },
    status,
  } satisfies Facilities
  const catalog = [...catalogOf(facilities), ...(parts.operations ?? [])]
  const everything = [...catalog, ...appCatalogOf(facilities)]
  return { catalog, everything }
}
