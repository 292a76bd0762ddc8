export const proposals = {
  title: 'Proposed emails',
  none: 'No assistant has proposed emails. What one writes to single people waits here for you.',
  about:
    'Assistants wrote these emails, each to one person. Nothing is sent until you approve it. Approved emails go out between 8:00 and 20:00, at most three a day to one person.',
  from: (name: string) => `From ${name}`,
  member: 'a member or an API key',
  kinds: { marketing: 'Marketing', transactional: 'Transactional' },
  waiting: (count: number) => `${count} waiting`,
  states: {
    approved: 'Approved',
    sent: 'Sent',
    refused: 'Refused',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  sampled: (read: number, sample: number, waiting: number) =>
    sample === waiting
      ? `${read} of ${sample} read. Read all of them to approve them together.`
      : `${read} of ${sample} read. Read these ${sample} to approve all ${waiting} together.`,
  pleaseRead: 'Please read',
  approve: 'Approve',
  approveAll: (count: number) => `Approve all ${count}`,
  refuse: 'Refuse',
  refuseAll: (count: number) => `Refuse all ${count}`,
  reason: 'Reason',
  reasonHint: 'The assistant reads it.',
  edit: 'Edit',
  subject: 'Subject',
  text: 'Text',
  save: 'Save',
  discard: 'Cancel',
  toldApproved: (count: number) => `${count} ${count === 1 ? 'email' : 'emails'} approved`,
  toldRefused: (count: number) => `${count} ${count === 1 ? 'email' : 'emails'} refused`,
  toldSaved: 'Saved',
}
