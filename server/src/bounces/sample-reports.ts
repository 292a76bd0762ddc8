/** Reports as a remote server would send them, for the buttons of the built-in inbox. */

export interface Sample {
  to: string
  returnPath: string
  /** Makes the Message-ID unique. */
  id: string
  at: Date
}

/** A delivery status notification (RFC 3464): the mailbox does not exist. */
export function bounceSample({ to, returnPath, id, at }: Sample): Buffer {
  return report('delivery-status', { id, at, to: returnPath, subject: 'Undelivered mail' }, [
    ['text/plain', `This is the built-in inbox. Nobody here has the address\n\n<${to}>`],
    [
      'message/delivery-status',
      `Reporting-MTA: dns; inbox.invalid

Final-Recipient: rfc822; ${to}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <${to}>: user unknown`,
    ],
    ['text/rfc822-headers', `Return-Path: <${returnPath}>\nTo: ${to}`],
  ])
}

/** A complaint (RFC 5965): the person pressed "this is spam". */
export function complaintSample({ to, returnPath, id, at }: Sample): Buffer {
  return report('feedback-report', { id, at, to: returnPath, subject: 'Complaint' }, [
    ['text/plain', 'Somebody pressed "spam" in the built-in inbox.'],
    [
      'message/feedback-report',
      `Feedback-Type: abuse
User-Agent: built-in inbox
Version: 1
Original-Mail-From: <${returnPath}>
Original-Rcpt-To: <${to}>`,
    ],
    ['text/rfc822-headers', `Return-Path: <${returnPath}>\nTo: ${to}`],
  ])
}

function report(
  type: string,
  { id, at, to, subject }: { id: string; at: Date; to: string; subject: string },
  parts: [type: string, text: string][],
): Buffer {
  const boundary = `inbox.${id}`
  const head = `From: Built-in inbox <mailer-daemon@inbox.invalid>
To: <${to}>
Subject: ${subject}
Date: ${at.toUTCString().replace('GMT', '+0000')}
Message-ID: <${id}@inbox.invalid>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`
  const body = parts.map(([kind, text]) => `--${boundary}\nContent-Type: ${kind}\n\n${text}\n`)
  return Buffer.from(`${head}\n\n${body.join('\n')}--${boundary}--\n`.replaceAll('\n', '\r\n'))
}
