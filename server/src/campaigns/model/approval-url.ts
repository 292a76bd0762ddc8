import { formatId, type Id } from '../../core/ids.ts'

/** Where a signed-in member approves a campaign, or refuses it. */
export function approvalPath(id: Id<'campaign'>): string {
  return `/campaigns/${formatId('campaign', id)}/approval`
}

export function approvalUrl(appUrl: string, id: Id<'campaign'>): string {
  return `${appUrl}${approvalPath(id)}`
}
