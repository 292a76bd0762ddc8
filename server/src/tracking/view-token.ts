/**
 * The token of the view in a browser. A campaign's has what the page needs, since a message is deleted after
 * some months and the link in the mail is to work for years: the contact, the campaign, the version of the
 * template, and which of its blocks the person saw. Others have the message alone, whose words end with it.
 */
import type { Id } from '../core/ids.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { bytesOf, makeToken, readToken, uuidOf } from './token.ts'

export interface ViewedCampaign {
  contactId: Id<'contact'>
  campaignId: Id<'campaign'>
  templateVersionId: Id<'templateVersion'>
  /** The bits of the filters that its recipient fitted; null where the template has none. */
  shownBlocks: number | null
}

export interface ViewSubject {
  businessId: Id<'business'>
  messageId: Id<'message'>
  campaign: ViewedCampaign | undefined
}

const idsBytes = 3 * 16

export function makeViewToken(
  vault: Pick<Vault, 'hmac'>,
  { campaign, ...message }: ViewSubject,
): string {
  const rest = campaign ? restOf(campaign) : Buffer.alloc(0)
  return makeToken(vault, 'view', { ...message, rest })
}

function restOf({ contactId, campaignId, templateVersionId, shownBlocks }: ViewedCampaign): Buffer {
  const ids = [contactId, campaignId, templateVersionId].map(bytesOf)
  if (shownBlocks === null) return Buffer.concat(ids)
  const bits = Buffer.alloc(2)
  bits.writeInt16BE(shownBlocks)
  return Buffer.concat([...ids, bits])
}

export function readViewToken(
  vault: Parameters<typeof readToken>[0],
  token: string,
): ViewSubject | undefined {
  const { rest, ...message } = readToken(vault, 'view', token) ?? {}
  if (rest === undefined) return undefined
  const { businessId, messageId } = message as Pick<ViewSubject, 'businessId' | 'messageId'>
  if (rest.length === 0) return { businessId, messageId, campaign: undefined }
  if (rest.length !== idsBytes && rest.length !== idsBytes + 2) return undefined
  const campaign: ViewedCampaign = {
    contactId: uuidOf<'contact'>(rest.subarray(0, 16)),
    campaignId: uuidOf<'campaign'>(rest.subarray(16, 32)),
    templateVersionId: uuidOf<'templateVersion'>(rest.subarray(32, idsBytes)),
    shownBlocks: rest.length > idsBytes ? rest.readInt16BE(idsBytes) : null,
  }
  return { businessId, messageId, campaign }
}
