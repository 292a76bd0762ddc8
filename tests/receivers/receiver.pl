#!/usr/bin/perl
# A receiver of webhooks, written from the contract's section "Events" alone.
#
# Needs nothing beyond Debian's perl. WEBHOOK_SECRET is the signing secret; the file
# that WORLD names holds the time and the answer, so that a test can have its own:
# {"now": <unix seconds>, "status": <answer to a good delivery>}. It prints its port,
# then one line of JSON for each request: what it found, or what is wrong.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256_hex);
use IO::Socket::INET;
use JSON::PP;

my $secret    = $ENV{WEBHOOK_SECRET} or die "WEBHOOK_SECRET is not set\n";
my $tolerance = 300;
my $json      = JSON::PP->new->utf8->canonical;
$| = 1;

# Dies with one word where the delivery is not what the contract says. The prototype
# makes a failed match one false value; without it, it would be no value at all.
sub need ($$) {
    my ($holds, $word) = @_;
    die "$word\n" unless $holds;
}

# Takes as long whichever byte is the first to differ.
sub same {
    my ($one, $other) = @_;
    return 0 if length $one != length $other;
    my $difference = 0;
    $difference |= ord(substr $one, $_, 1) ^ ord(substr $other, $_, 1) for 0 .. length($one) - 1;
    return $difference == 0;
}

# The event of a delivery.
sub checked {
    my ($headers, $body, $now) = @_;
    need(($headers->{'content-type'} // '') eq 'application/json', 'content-type');
    my $delivery  = $headers->{'x-svc-delivery'}  // '';
    my $timestamp = $headers->{'x-svc-timestamp'} // '';
    need($delivery =~ /\Adlv_\w+\z/, 'delivery');
    need($timestamp =~ /\A[0-9]+\z/, 'timestamp');

    my ($time, @parts) = split /,/, $headers->{'x-svc-signature'} // '';
    need(($time // '') eq "t=$timestamp", 'signature-header');
    my @given    = map { /\Av1=(.*)\z/ ? $1 : () } @parts;
    my $expected = hmac_sha256_hex("$timestamp.$body", $secret);
    my $matched  = 0;
    $matched |= same($_, $expected) for @given;
    need($matched, 'signature');
    need(abs($now - $timestamp) <= $tolerance, 'stale');

    my $event = $json->decode($body);
    need(join(' ', sort keys %$event) eq 'business_id created_at data id type', 'keys');
    need($event->{id} =~ /\Aevt_\w+\z/, 'id');
    need($event->{business_id} =~ /\Abus_\w+\z/, 'business_id');
    need($event->{type} eq ($headers->{'x-svc-event'} // ''), 'event');
    need(ref $event->{data} eq 'HASH', 'data');
    need($event->{created_at} =~ /\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\z/, 'created_at');
    return { id => $event->{id}, delivery => $delivery, signatures => scalar @given };
}

sub serve {
    my ($socket) = @_;
    <$socket>;
    my %headers;
    while (defined(my $line = <$socket>)) {
        $line =~ s/\r?\n\z//;
        last if $line eq '';
        my ($name, $value) = $line =~ /\A([^:]+):\s*(.*?)\s*\z/;
        $headers{ lc $name } = $value;
    }
    read $socket, my $body, $headers{'content-length'} // 0;
    open my $file, '<', $ENV{WORLD} or die "WORLD: $!\n";
    my $world   = $json->decode(do { local $/; <$file> });
    my $status  = $world->{status};
    my $verdict = eval { checked(\%headers, $body, $world->{now}) };
    if (!$verdict) {
        chomp(my $word = $@);
        ($verdict, $status) = ({ refused => $word }, 400);
    }
    print $json->encode($verdict), "\n";
    print {$socket} "HTTP/1.1 $status Said\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    close $socket;
}

my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 16) or die "listen: $!\n";
print $server->sockport, "\n";
while (my $socket = $server->accept) {
    serve($socket);
}
