export const campaigns = {
  title: 'Campaigns',
  status: {
    draft: 'Draft',
    awaiting_approval: 'Awaiting approval',
    scheduled: 'Scheduled',
    deployed: 'Sending',
    paused: 'Paused',
    completed: 'Sent',
    cancelled: 'Cancelled',
  },
}
