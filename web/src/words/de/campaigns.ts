import type { campaigns as english } from '../en/campaigns.ts'

export const campaigns: typeof english = {
  title: 'Kampagnen',
  status: {
    draft: 'Entwurf',
    awaiting_approval: 'Wartet auf Freigabe',
    scheduled: 'Geplant',
    deployed: 'Wird gesendet',
    paused: 'Angehalten',
    completed: 'Gesendet',
    cancelled: 'Abgebrochen',
  },
}
