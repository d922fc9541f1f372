/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Packs {@link RescheduleFilter} alone into the archive form from which a broker loads entry filters. */
final class EntryFilterArchive {

    /** The key that lets namespaces and topics name entry filters; where it is {@code true} a broker gets the archive. */
    static final String ALLOWED = "allowOverrideEntryFilters";

    /** The key of the folder with the archives. */
    static final String DIRECTORY = "entryFiltersDirectory";

    /** What policies call the filter. */
    static final String NAME = "reschedule";

    private EntryFilterArchive() {
    }

    /** Writes the archive into a folder, which is made, and returns it. */
    static Path write(Path folder) throws IOException {
        String className = RescheduleFilter.class.getName();
        String classFile = className.replace('.', '/') + ".class";
        String definition = "name: " + NAME + "\ndescription: reschedules as the message says\nentryFilterClass: " + className
                + "\n";
        Path archive = Files.createDirectories(folder).resolve(NAME + ".nar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive));
                InputStream code = RescheduleFilter.class.getResourceAsStream("/" + classFile)) {
            zip.putNextEntry(new ZipEntry("META-INF/bundled-dependencies/"));
            zip.putNextEntry(new ZipEntry("META-INF/services/entry_filter.yml"));
            zip.write(definition.getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry(classFile));
            code.transferTo(zip);
            zip.closeEntry();
        }
        return archive;
    }
}
