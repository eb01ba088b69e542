/**
 * The functions that PAC files may call, as text for QuickJS. `resolveName` comes from outside. The address of this machine is nobody's
 * business, so `myIpAddress` is always loopback.
 */
export const pacFunctions = String.raw`
var isAddress = function (host) { return /^\d+\.\d+\.\d+\.\d+$/.test(host) };
function dnsResolve(host) { host = String(host); return isAddress(host) ? host : resolveName(host.toLowerCase()) }
function isResolvable(host) { return dnsResolve(host) !== null }
function myIpAddress() { return '127.0.0.1' }
function dnsResolveEx(host) { return dnsResolve(host) || '' }
function isResolvableEx(host) { return isResolvable(host) }
function myIpAddressEx() { return myIpAddress() }
function alert() {}
function isPlainHostName(host) { return !/[.:]/.test(host) }
function dnsDomainIs(host, domain) { return String(host).toLowerCase().endsWith(String(domain).toLowerCase()) }
function localHostOrDomainIs(host, full) {
  host = String(host).toLowerCase(); full = String(full).toLowerCase();
  return host === full || (host.indexOf('.') === -1 && full.startsWith(host + '.'));
}
function dnsDomainLevels(host) { return String(host).split('.').length - 1 }
function convert_addr(address) {
  return String(address).split('.').reduce(function (sum, part) { return sum * 256 + (Number(part) & 255) }, 0);
}
function isInNet(host, net, mask) {
  var address = dnsResolve(host);
  if (address === null || !isAddress(address)) return false;
  return (convert_addr(address) & convert_addr(mask)) === (convert_addr(net) & convert_addr(mask));
}
function shExpMatch(text, pattern) {
  var expression = String(pattern).replace(/[.+^${'$'}{}()|[\]\\]/g, '\\$&').replace(/\*+/g, '[^]*').replace(/\?/g, '[^]');
  return new RegExp('^' + expression + '$').test(String(text));
}
var rangeArguments = function (list) {
  var given = Array.prototype.slice.call(list), utc = given[given.length - 1] === 'GMT';
  if (utc) given.pop();
  var now = new Date(), read = function (name) { return utc ? now['getUTC' + name]() : now['get' + name]() };
  var half = given.length % 2 === 0 ? given.length / 2 : given.length;
  return { from: given.slice(0, half), to: given.slice(given.length - half), read: read };
};
var isBetween = function (now, from, to) { return from <= to ? from <= now && now <= to : from <= now || now <= to };
var pacDays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
function weekdayRange() {
  var range = rangeArguments(arguments);
  return isBetween(range.read('Day'), pacDays.indexOf(range.from[0]), pacDays.indexOf(range.to[0]));
}
var pacMonths = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
function dateRange() {
  var range = rangeArguments(arguments);
  var parts = function (given) {
    var found = {};
    given.forEach(function (part) {
      if (typeof part === 'string') found.month = pacMonths.indexOf(part);
      else if (part > 31) found.year = part;
      else found.day = part;
    });
    return found;
  };
  var from = parts(range.from), to = parts(range.to);
  var weigh = function (date) {
    return ('year' in from ? date.year * 10000 : 0) + ('month' in from ? date.month * 100 : 0) + ('day' in from ? date.day : 0);
  };
  return isBetween(weigh({ year: range.read('FullYear'), month: range.read('Month'), day: range.read('Date') }), weigh(from), weigh(to));
}
function timeRange() {
  var range = rangeArguments(arguments), from = range.from, to = range.to;
  var seconds = function (h, m, s) { return (h * 60 + m) * 60 + s };
  var or = function (value, other) { return value === undefined ? other : value };
  return isBetween(
    seconds(range.read('Hours'), range.read('Minutes'), range.read('Seconds')),
    seconds(from[0], or(from[1], 0), or(from[2], 0)),
    seconds(to[0], or(to[1], 59), or(to[2], 59)));
}
`
