"""What schemathesis must know of this API beside its document."""

import datetime
import uuid

import schemathesis
from hypothesis import strategies as st

ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "UTC"]
IBANS = ["DE89370400440532013000", "AT611904300234573201", "FR1420041010050500013M02606", "NL91ABNA0417164300"]
PICTURES = [
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==",
    "data:image/jpeg;base64,/9j/4AAQSkZJRgD/2Q==",
    "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
]
BICS = ["COBADEFF", "COBADEFFXXX", "GIBAATWW", "ABNANL2A"]
# Far days cost a sandbox' clock and a preview many periods: the bounds themselves are tested elsewhere.
DAYS = st.dates(datetime.date(1990, 1, 1), datetime.date(2040, 12, 31))
INSTANTS = st.datetimes(datetime.datetime(1990, 1, 1), datetime.datetime(2040, 12, 31))

schemathesis.openapi.format("date", DAYS.map(str))
schemathesis.openapi.format("date-time", INSTANTS.map(lambda at: at.isoformat(timespec="seconds") + "Z"))
schemathesis.openapi.format("uri", st.integers(1, 9999).map(lambda n: f"https://receiver-{n}.example/hooks"))
schemathesis.openapi.format("iso-4217", st.sampled_from(["EUR", "USD", "CHF", "JPY", "KWD"]))
schemathesis.openapi.format("iso-3166", st.sampled_from(["DE", "AT", "FR", "CH", "US", "XK"]))
schemathesis.openapi.format("time-zone", st.sampled_from(ZONES))
schemathesis.openapi.format("iban", st.sampled_from(IBANS))
schemathesis.openapi.format("leitweg-id", st.sampled_from(["04011000-1234512345-06", "991-33333TEST-33"]))
schemathesis.openapi.format("vat-id", st.sampled_from(["DE136695976", "ATU12345675", "FR83404833048"]))
schemathesis.openapi.format("picture", st.sampled_from(PICTURES))
schemathesis.openapi.format("bic", st.sampled_from(BICS))
schemathesis.openapi.format("number-format", st.integers(1, 9).map(lambda digits: f"R-{{year}}-{{seq:{digits}}}"))
schemathesis.openapi.format("liquid", st.sampled_from(["", "Hello", "{{ customer.name }}", "{% if a %}b{% endif %}"]))

PDF = b"%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\n%%EOF\n"
schemathesis.openapi.media_type("application/pdf", st.just(PDF))


@schemathesis.serializer("application/pdf")
def pdf_serializer(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.hook
def before_call(context, case, kwargs):
    """A key of its own for each request: else most of them would be refused as repeats of another."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and 1 <= len(key) <= 255:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
