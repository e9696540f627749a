import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.XPathCompiler;
import net.sf.saxon.s9api.XdmDestination;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.Xslt30Transformer;
import net.sf.saxon.s9api.XsltExecutable;
import org.mustangproject.validator.ZUGFeRDValidator;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXParseException;

/**
 * Official validators for many files in one process. A line in: `id kind base64`; a line out: `id base64`, the faults of
 * the file, one a line as `flag<TAB>rule<TAB>text`. Kinds: `cii` and `ubl` (XSD, EN 16931, and XRechnung where the file says
 * so), `facturx` (those and the rules of Factur-X, which take ten times as long), `pdf` (PDF/A-3b by veraPDF), `accessible`
 * (PDF/UA-1 by veraPDF), `hybrid` (Mustang: PDF and the XML in it).
 */
public final class Validate {
  private static final String CEN = "external/schematron/1.3.16/";
  private static final String KOSIT = "external/schematron/3.0.2/";
  private static final String FACTUR_X = "schema/ZF_250/EN16931/FACTUR-X_EN16931.xsd";
  private static final String D16B = "external/schemas/d16b/data/standard/CrossIndustryInvoice_100pD16B.xsd";
  private static final String SVRL = "http://purl.oclc.org/dsdl/svrl";

  private final Processor saxon = new Processor(false);
  private final Map<String, XsltExecutable> rules = new HashMap<>();
  private final Map<String, Schema> schemas = new HashMap<>();

  public static void main(String[] arguments) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    PrintStream answers = System.out;
    // Libraries print, too; answers have the stream for themselves.
    System.setOut(System.err);
    VeraGreenfieldFoundryProvider.initialise();
    Validate validate = new Validate();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII), 1 << 20);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] parts = line.split(" ", 3);
      List<String> faults = new ArrayList<>();
      try {
        validate.check(parts[1], Base64.getDecoder().decode(parts[2]), faults);
      } catch (Exception | LinkageError error) {
        faults.add(fault("fatal", "not-validated", String.valueOf(error)));
      }
      byte[] text = String.join("\n", faults).getBytes(StandardCharsets.UTF_8);
      answers.println(parts[0] + " " + Base64.getEncoder().encodeToString(text));
      answers.flush();
    }
  }

  private void check(String kind, byte[] file, List<String> faults) throws Exception {
    if (kind.equals("pdf")) pdf(PDFAFlavour.PDFA_3_B, file, faults);
    else if (kind.equals("accessible")) pdf(PDFAFlavour.PDFUA_1, file, faults);
    else if (kind.equals("hybrid")) hybrid(file, faults);
    else xml(kind, file, faults);
  }

  private void xml(String kind, byte[] file, List<String> faults) throws Exception {
    String text = new String(file, StandardCharsets.UTF_8);
    boolean xrechnung = text.contains("urn:xeinkauf.de:kosit:xrechnung_3.0");
    boolean credit = text.contains("CreditNote xmlns");
    if (!kind.equals("ubl")) {
      schema(xrechnung ? D16B : FACTUR_X, file, faults);
      schematron(CEN + "cii/EN16931-CII-validation.xslt", file, faults);
      if (xrechnung) schematron(KOSIT + "XRechnung-CII-validation.xslt", file, faults);
      else if (kind.equals("facturx")) schematron("xslt/ZF_250/FACTUR-X_EN16931.xslt", file, faults);
    } else {
      schema("schema/UBL_21/maindoc/UBL-" + (credit ? "CreditNote" : "Invoice") + "-2.1.xsd", file, faults);
      schematron(CEN + "ubl/EN16931-UBL-validation.xslt", file, faults);
      if (xrechnung) schematron(KOSIT + "XRechnung-UBL-validation.xslt", file, faults);
    }
  }

  private void schema(String name, byte[] file, List<String> faults) throws Exception {
    Schema schema = schemas.get(name);
    if (schema == null) {
      schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(resource(name));
      schemas.put(name, schema);
    }
    Validator validator = schema.newValidator();
    validator.setErrorHandler(new ErrorHandler() {
      @Override
      public void warning(SAXParseException found) {}

      @Override
      public void error(SAXParseException found) {
        faults.add(fault("fatal", "XSD", "line " + found.getLineNumber() + ": " + found.getMessage()));
      }

      @Override
      public void fatalError(SAXParseException found) {
        error(found);
      }
    });
    validator.validate(new StreamSource(new ByteArrayInputStream(file)));
  }

  private void schematron(String name, byte[] file, List<String> faults) throws Exception {
    XsltExecutable compiled = rules.get(name);
    if (compiled == null) {
      compiled = saxon.newXsltCompiler().compile(new StreamSource(unpacked(name)));
      rules.put(name, compiled);
    }
    Xslt30Transformer transformer = compiled.load30();
    XdmNode invoice = saxon.newDocumentBuilder().build(new StreamSource(new ByteArrayInputStream(file)));
    XdmDestination report = new XdmDestination();
    transformer.setGlobalContextItem(invoice);
    transformer.applyTemplates(invoice, report);
    XPathCompiler paths = saxon.newXPathCompiler();
    paths.declareNamespace("svrl", SVRL);
    for (XdmItem item : paths.evaluate("//svrl:failed-assert", report.getXdmNode())) {
      XdmNode failed = (XdmNode) item;
      String flag = failed.getAttributeValue(new QName("flag"));
      String id = failed.getAttributeValue(new QName("id"));
      String location = failed.getAttributeValue(new QName("location"));
      faults.add(fault(flag == null ? "fatal" : flag, String.valueOf(id), failed.getStringValue() + " @ " + location));
    }
  }

  private void pdf(PDFAFlavour flavour, byte[] file, List<String> faults) throws Exception {
    try (PDFAParser parser = Foundries.defaultInstance().createParser(new ByteArrayInputStream(file), flavour)) {
      PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false);
      ValidationResult result = validator.validate(parser);
      for (TestAssertion found : result.getTestAssertions()) {
        String rule = found.getRuleId().getClause() + "-" + found.getRuleId().getTestNumber();
        String where = found.getLocation() == null ? "" : found.getLocation().getContext();
        faults.add(fault("fatal", rule, found.getMessage() + " @ " + where));
      }
      if (!result.isCompliant() && faults.isEmpty()) faults.add(fault("fatal", flavour.toString(), "not kept"));
    }
  }

  private void hybrid(byte[] file, List<String> faults) throws IOException {
    ZUGFeRDValidator validator = new ZUGFeRDValidator();
    validator.disableNotices();
    String report = validator.validate(file, "invoice.pdf");
    if (!validator.wasCompletelyValid()) faults.add(fault("fatal", "Mustang", report));
  }

  private static URL resource(String name) throws IOException {
    URL found = Validate.class.getClassLoader().getResource(name);
    if (found == null) throw new IOException(name + " is in none of the jars");
    return found;
  }

  /** As a file, with the code lists beside it: Saxon resolves nothing against an address inside a jar. */
  private static File unpacked(String name) throws IOException {
    Path folder = Files.createTempDirectory("validators");
    folder.toFile().deleteOnExit();
    File sheet = copied(resource(name), folder);
    String lists = name.replace(".xslt", "_codedb.xml");
    URL found = Validate.class.getClassLoader().getResource(lists);
    if (found != null) copied(found, folder);
    return sheet;
  }

  private static File copied(URL source, Path folder) throws IOException {
    String path = source.getPath();
    Path target = folder.resolve(path.substring(path.lastIndexOf('/') + 1));
    try (InputStream bytes = source.openStream()) {
      Files.copy(bytes, target);
    }
    target.toFile().deleteOnExit();
    return target.toFile();
  }

  private static String fault(String flag, String rule, String text) {
    return flag + "\t" + rule + "\t" + text.replaceAll("\\s+", " ").trim();
  }
}
