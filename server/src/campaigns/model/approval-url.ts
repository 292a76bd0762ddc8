import { formatId, type Id } from '../../core/ids.ts'

/** The page where a signed-in member approves a campaign, watches it and stops it. */
export function approvalUrl(appUrl: string, id: Id<'campaign'>): string {
  return `${appUrl}/campaigns/${formatId('campaign', id)}`
}
