import type { RecipientWords } from './words.ts'

export const japanese: RecipientWords = {
  form: {
    submit: '送信',
    required: '必須',
    choose: '選択してください',
    yes: 'はい',
    no: 'いいえ',
    problems: '入力内容をご確認ください',
    missing: 'この項目を入力してください。',
    email: 'メールアドレスを入力してください（例：ana@example.com）。',
    phone: '国番号付きの電話番号を入力してください（例：+81 3 5321 1111）。',
    number: '数値を入力してください（例：12、3.5）。',
    date: '実在する日付を入力してください。',
    url: 'https:// で始まるアドレスを入力してください。',
    choice: 'リストから選択してください。',
    tooLong: '文字数が多すぎます。',
    consentNeeded: '続けるにはチェックを入れてください。',
    thanksTitle: 'ありがとうございます',
    thanksText: '回答を受け付けました。このページを閉じてください。',
    confirmTitle: 'あと一歩です。メールをご確認ください',
    confirmText: 'お送りするメールを開き、その中のボタンで確認してください。',
    closedTitle: 'このフォームは受付を終了しました',
    closedText: '現在、回答を受け付けていません。',
    expired:
      'ページを開いてから時間がたちすぎました。入力内容は残っています。もう一度送信してください。',
    tooMany: 'お使いのネットワークからの回答が多すぎます。1分待ってからもう一度送信してください。',
    tryAgain: '保存できませんでした。入力内容は残っています。もう一度送信してください。',
    wait: '少々お待ちください…',
    sendHere:
      'こちらのフォームにご記入ください。プログラムによる悪用があったため、このページからの回答のみ受け付けています。',
    leaveEmpty: 'この項目は空欄のままにしてください',
    close: '閉じる',
    responsible: '個人情報の取扱事業者',
    privacy: 'プライバシーポリシー',
  },
  preferences: {
    title: (business) => `${business} からのメッセージ`,
    unsubscribed: '完了しました。今後、メールでの配信はありません。送信直前のものも停止しました。',
    leftTopic: (topic) =>
      `完了しました。「${topic}」の配信は停止されました。お選びになったその他の配信は続きます。`,
    saved: '選択を保存しました。',
    askUnsubscribe: 'ボタンを押すと、メールでの配信を停止します。',
    unsubscribe: '配信を停止',
    leaveTopic: (topic) => `「${topic}」の配信を停止する`,
    leaveAll: 'すべての配信を停止する',
    legend: '受け取るもの',
    save: '選択を保存',
    stillSent: 'ご注文やお問い合わせに関するメッセージは引き続き届きます。',
    emailChoice: (business) => `${business} のお知らせやご案内をメールで受け取る。`,
    smsChoice: (business) => `${business} のお知らせやご案内をSMSで受け取る。`,
    trackingLegend: '記録される内容',
    trackingChoice: (business) =>
      `${business} がメールの開封とクリックしたリンクを記録することに同意します。`,
    topics: 'トピック',
    often: '配信の頻度',
    oftens: {
      all: 'お知らせがあるたびに',
      weekly: '週に1通まで',
      digest: '定期のまとめだけ',
      pause: '30日間は受け取らない',
    },
    topicChoice: (topic, business) => `${business} から「${topic}」を受け取ります。`,
    emailTo: (hint) => `メール：${hint}`,
    smsTo: (hint) => `SMS：${hint}`,
    goneTitle: '配信はありません',
    goneText: (business) =>
      `${business ?? '送信者'} はすでにあなたのアドレスを保持していないため、停止するものはありません。このページを閉じてください。`,
    returnText:
      'まだメッセージが届く場合は、最新のメッセージにあるリンクをご利用ください。配信の再開を希望される場合は、メールアドレスを入力してください。確認用のボタンが付いたメールをお送りします。',
    returnLabel: 'メールアドレス',
    returnButton: 'メールを受け取る',
    returnAsked:
      'このアドレスへの配信が停止されていた場合は、メールをお送りしました。メール内のボタンを押すと配信が再開されます。それまでは何も変わりません。',
    tooManyTitle: '変更が多すぎます',
    tooManyText:
      '変更の回数が多すぎます。新たに受け取るには1時間お待ちください。停止はいつでもできます。',
  },
  confirmation: {
    subject: (business) => `ご確認ください：${business} からのメッセージ`,
    text: (business) =>
      `このアドレスへの配信を ${business} に希望する申し込みがありました。ボタンを押して確認してください。`,
    button: '確認する',
    ignore: '心当たりがない場合は、何もしないでください。確認がなければ配信はされません。',
    pageText: (business) => `${business} からのメッセージを受け取るには、ボタンを押してください。`,
    doneTitle: '確認しました',
    doneText: (business) => `${business} からのメッセージが届きます。このページを閉じてください。`,
    expiredTitle: 'このリンクは期限切れです',
    expiredText: 'もう一度フォームに入力すると、新しいリンクが届きます。',
  },
  mail: { preferences: '配信の停止・受け取る内容の選択' },
  view: {
    link: 'ブラウザで表示',
    goneTitle: 'このメールは表示できなくなりました',
    goneText:
      '内容はすでに保存されていません。お使いのメールボックスでは引き続きお読みいただけます。',
  },
  sms: {
    stopped: (business) =>
      `${business}: この番号からのSMSを停止しました。再開はSTARTと返信してください。`,
    started: (business) =>
      `${business}: SMSを再開しました。ヘルプはHELP、停止はSTOPと返信してください。`,
    help: (business, contact) => `${business}: ${contact}停止はSTOPと返信してください。`,
    writeTo: (address) => `連絡先 ${address}`,
  },
  archive: {
    title: (business) => `${business}からのメール`,
    empty: 'まだメールはありません。',
    older: '以前のメール',
    newest: '最新のメール',
    feed: 'RSSフィード',
    all: (business) => `${business}からのすべてのメール`,
    subscribe: '購読する',
    personalTitle: 'このリンクは受信者専用です',
    personalText:
      '受信者に届いたメールの中でのみ使えます。配信の停止や受け取る内容の選択は、届いたメールを開いて行ってください。',
  },
  errors: {
    linkTitle: 'このリンクは使えません',
    linkText:
      'コピーしたときに途中で切れた可能性があります。もう一度メッセージを開き、その中のリンクからお進みください。それでもこのページが表示される場合は、メッセージに返信して送信者にお知らせください。何も変更されていません。',
    pageTitle: 'ページが見つかりません',
    pageText: 'このアドレスにはページがありません。',
    busyTitle: 'アクセスが多すぎます',
    busyText:
      'お使いのネットワークから開かれたページが多すぎます。1分ほど待ってからもう一度お試しください。',
    failedTitle: 'こちら側で問題が発生しました',
    failedText: 'しばらくしてからもう一度お試しください。',
  },
  sentWith: 'Crier で送信',
  skipToPage: '本文へ移動',
}
